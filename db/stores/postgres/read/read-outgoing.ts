import type { PoolClient } from "pg";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { keyParameters } from "#db/stores/shared/tables/key-parameters.ts";
import { textArray } from "../connection/text-array.ts";
import { rowReader } from "../relay/read-row.ts";
import { keyMatch, quoteTable } from "../tables/mapping-sql.ts";
import { keysOf } from "../tables/message-key.ts";

/** The rows of these ids in any state, as the relay reads them. Index: the table's primary key. */
export async function readOutgoing(
  client: PoolClient,
  mapping: OutboxMapping,
  { ids, fields }: { ids: readonly string[]; fields: Readonly<Record<string, string>> },
): Promise<OutgoingMessage[]> {
  const keys = keysOf(mapping, ids);
  if (keys.length === 0) return [];
  // The format of times must not depend on the pooler.
  await client.query("SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO'");
  const reader = rowReader({ mapping, lanes: true, fields });
  const { rows } = await client.query<(string | null)[]>({
    text: `SELECT ${reader.columns.join(", ")} FROM ${quoteTable(mapping.table)} o WHERE ${keyMatch(mapping, "o", 1)}`,
    values: keyParameters(keys, mapping.primaryKey.length).map(textArray),
    rowMode: "array",
  });
  return rows.map((row) => reader.read(row));
}
