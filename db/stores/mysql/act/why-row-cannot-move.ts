import type { OutboxMapping } from "../../port/mapping.ts";
import { whyRowsCannotMove } from "../catalog/can-move-rows.ts";
import type { Session } from "../connection/session.ts";
import { imageSurvives } from "../tables/row-image.ts";

/** Clause: why this row must stay in its table; null if it can be removed and restored unchanged. */
export async function whyRowCannotMove(
  session: Session,
  mapping: OutboxMapping,
  keys: readonly (readonly string[])[],
): Promise<string | null> {
  const reason = await whyRowsCannotMove(session, mapping.table);
  if (reason !== null) return reason;
  return (await imageSurvives(session, mapping, keys))
    ? null
    : "it contains a value that the database cannot restore unchanged";
}
