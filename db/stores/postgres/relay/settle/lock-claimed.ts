import { decodeMessageId } from "#db/stores/port/message-id.ts";
import type { Head } from "#db/stores/port/relay/head.ts";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { RelaySession } from "#db/stores/postgres/connection/sessions.ts";
import { textArray } from "#db/stores/postgres/connection/text-array.ts";
import {
  besideKeys,
  columnSql,
  keyMatch,
  notPublishedPredicate,
  quoteTable,
} from "#db/stores/postgres/tables/mapping-sql.ts";
import { isSameMessage } from "#db/stores/shared/relay/same-message.ts";
import { keyParameters } from "#db/stores/shared/tables/key-parameters.ts";
import { rowReader } from "../read-row.ts";
import { messageId, type RelayContext } from "../relay-context.ts";
import { isOfVersion, type RowVersion } from "../row-version.ts";

export interface LockedRows {
  /** Rows of the given messages that are still unsent, by id, in their present version. */
  ours: ReadonlyMap<string, RowVersion>;
  /** Unsent rows that have the keys of other messages now. */
  replaced: Head[];
}

/**
 * Locks the unsent rows with the keys of the messages, in key order, and returns which still are these messages. Only
 * rows written since the claim are read again and compared. Index: the primary key. Race: another program publishes the
 * row meanwhile, or replaces it. The claimed message's outcome must not be recorded for the new row.
 */
export async function lockClaimed(
  context: RelayContext,
  session: RelaySession,
  messages: readonly OutgoingMessage[],
): Promise<LockedRows> {
  const { mapping } = context;
  const order = mapping.primaryKey.map((column) => columnSql(column, "o")).join(", ");
  const keyed = (some: readonly OutgoingMessage[]) => {
    const { length } = mapping.primaryKey;
    const keys = some.map(({ id }) => decodeMessageId(id, length));
    return keyParameters(keys, length).map(textArray);
  };
  const from = `FROM ${quoteTable(mapping.table)} o WHERE ${keyMatch(mapping, "o", 1)}`;
  const { rows } = await session.query(
    "lock-unsent",
    `SELECT ${messageId(mapping)}, o.xmin::text ${from}
       AND ${besideKeys(notPublishedPredicate(mapping, "o"))} ORDER BY ${order} FOR UPDATE`,
    keyed(messages),
  );
  const writers = new Map(rows.map(([id, xid]) => [id ?? "", xid ?? ""]));
  const there = messages.filter(({ id }) => writers.has(id));
  const changed = there.filter(({ id, version }) => !isOfVersion(writers.get(id) ?? "", version));
  const ours = new Map(there.map(({ id }) => [id, { xid: writers.get(id) ?? "", below: null }]));
  if (changed.length === 0) return { ours, replaced: [] };
  const reader = rowReader(context);
  const again = await session.query("lock-changed", `SELECT ${reader.columns.join(", ")} ${from}`, keyed(changed));
  const now = new Map(again.rows.map((row) => reader.read(row)).map((message) => [message.id, message]));
  const replaced = changed.flatMap((message) => {
    const row = now.get(message.id);
    return row && !isSameMessage(row, message) ? [row] : [];
  });
  for (const { id } of replaced) ours.delete(id);
  return { ours, replaced: replaced.map(({ id, aggregateKey, order: place }) => ({ id, aggregateKey, order: place })) };
}
