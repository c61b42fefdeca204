import type { Head } from "#db/stores/port/relay/head.ts";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { isSameMessage } from "#db/stores/shared/relay/same-message.ts";
import type { Session } from "../../connection/session.ts";
import { columnSql, forced, quoteTable } from "../../tables/mapping-sql.ts";
import { hasId } from "../literals.ts";
import { idReader, rowReader } from "../read-row.ts";
import type { StatementContext } from "../relay-context.ts";
import { versionOf } from "../row-version.ts";
import { stillUnsent } from "./mark-published.ts";

export interface LockedRows {
  /** Ids of the given messages whose rows are still unsent. */
  ours: ReadonlySet<string>;
  /** Unsent rows that have the keys of other messages now. */
  replaced: Head[];
}

/**
 * Locks the unsent rows with the keys of the messages, in key order, and returns which still are these messages. Only
 * rows of another version are read again and compared. Index: the primary key. Race: another program publishes the row
 * meanwhile, or replaces it. The claimed message's outcome must not be recorded for the new row.
 */
export async function lockClaimed(
  context: StatementContext,
  session: Session,
  messages: readonly OutgoingMessage[],
): Promise<LockedRows> {
  const { mapping, facts } = context;
  const { columns, id: idOf } = idReader(mapping);
  const order = mapping.primaryKey.map((column) => columnSql(column, "o")).join(", ");
  const from = (some: readonly OutgoingMessage[]) => {
    const ids = some.map(({ id }) => id);
    return `FROM ${quoteTable(mapping.table)} o${forced(facts.keyIndex)} WHERE ${hasId(mapping, ids)}`;
  };
  const rows = await session.rows(
    `SELECT ${[...columns, versionOf(context).sql].join(", ")} ${from(messages)} AND ${stillUnsent(context)} ORDER BY ${order} FOR UPDATE`,
  );
  const versions = new Map(rows.map((row) => [idOf(row), row.at(-1) ?? null]));
  const there = messages.filter(({ id }) => versions.has(id));
  const ours = new Set(there.map(({ id }) => id));
  const changed = there.filter(({ id, version }) => typeof version !== "string" || versions.get(id) !== version);
  if (changed.length === 0) return { ours, replaced: [] };
  const reader = rowReader(context);
  const again = await session.rows(`SELECT ${reader.columns.join(", ")} ${from(changed)}`);
  const now = new Map(again.map((row) => [reader.id(row), reader.read(row)]));
  // A creation time that each change rewrites is not compared.
  const told = (message: OutgoingMessage) => (facts.redated ? { ...message, createdAt: null } : message);
  const replaced = changed.flatMap((message) => {
    const row = now.get(message.id);
    return row && !isSameMessage(told(row), told(message)) ? [row] : [];
  });
  for (const { id } of replaced) ours.delete(id);
  return { ours, replaced: replaced.map(({ id, aggregateKey, order: place }) => ({ id, aggregateKey, order: place })) };
}
