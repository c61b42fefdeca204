import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { keyParameters } from "#db/stores/shared/tables/key-parameters.ts";
import type { Session } from "../connection/session.ts";
import { rowReader } from "../relay/read-row.ts";
import { keyMatch, quoteTable } from "../tables/mapping-sql.ts";
import { keysOf } from "../tables/message-key.ts";

/** The rows of these ids in any state, as the relay reads them. Index: the table's primary key. */
export async function readOutgoing(
  session: Session,
  mapping: OutboxMapping,
  { ids, fields }: { ids: readonly string[]; fields: Readonly<Record<string, string>> },
): Promise<OutgoingMessage[]> {
  const keys = keysOf(mapping, ids);
  if (keys.length === 0) return [];
  const reader = rowReader({ mapping, lanes: true, fields, facts: { binaryJson: false, redated: false } });
  const rows = await session.rows(
    `SELECT ${reader.columns.join(", ")} FROM ${quoteTable(mapping.table)} o WHERE ${keyMatch(mapping, "o", keyParameters(keys, mapping.primaryKey.length))}`,
  );
  return rows.map((row) => reader.read(row));
}
