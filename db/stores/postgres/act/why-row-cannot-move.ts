import type { PoolClient } from "pg";
import type { OutboxMapping } from "../../port/mapping.ts";
import { whyRowsCannotMove } from "../catalog/can-move-rows.ts";
import { imageSurvives } from "../tables/row-image.ts";

/** Clause: why this row must stay in its table; null if it can be removed and restored unchanged. */
export async function whyRowCannotMove(
  client: PoolClient,
  mapping: OutboxMapping,
  keys: string[][],
): Promise<string | null> {
  const reason = await whyRowsCannotMove(client, mapping.table);
  if (reason !== null) return reason;
  return (await imageSurvives(client, mapping, keys))
    ? null
    : "it has a value that Postgres cannot restore unchanged, such as JSON with certain characters or an hstore";
}
