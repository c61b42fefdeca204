import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { MappingFingerprint } from "#db/stores/port/mapping-fingerprint.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import type { PauseEntry } from "#db/stores/port/relay/pause-entry.ts";
import type { RelaySessions } from "../connection/sessions.ts";
import { aggregateKeyExpression, columnSql, messageIdExpression, orderColumn } from "../tables/mapping-sql.ts";

/** What every statement of one outbox's relay is built from. */
export interface RelayContext {
  outbox: string;
  mapping: OutboxMapping;
  sessions: RelaySessions;
  /** Aggregates are ordered lanes; false when every message is its own. */
  lanes: boolean;
  /** Written with each attempt. */
  relayId: string;
  sinkName: string;
  maxAttempts: number;
  /** The mapping as it was accepted; undefined where nothing is compared. */
  accepted: MappingFingerprint | undefined;
  /** True in SQL while the table is the one that the mapping was accepted for; see mapping-holds.ts. */
  mappingHolds: string;
  /** How it is told that a message was published: by the row's columns, by its absence, or by the stream's position alone. */
  mark: "column" | "delete" | "none";
  /** Further columns that travel with a message, by the names that it has them under. */
  fields: Readonly<Record<string, string>>;
  onDead: "pass" | "hold";
  /** What is paused on purpose, as last read: reads and claims leave it out. */
  paused: {
    digest: string;
    entries: readonly PauseEntry[];
    eventTypes: readonly string[];
    aggregates: readonly string[];
  };
  /** Event types whose route is at fault, as the relay last said: retries and messages without an aggregate wait. */
  leftOut: readonly string[];
  /** Ids of messages that were with a relay when it died, as last read: their outcome clears them. */
  suspects: Set<string>;
}

/** What the text of a statement depends on. */
export type StatementContext = Omit<RelayContext, "sessions">;

/**
 * The columns that order first deliveries, as SQL of one row `o`: the sequence, or the creation time and then the id,
 * since all messages of one transaction have the same. A sequence stands alone: with the id behind it every read sorts.
 */
export function orderSql(mapping: OutboxMapping): { columns: string[]; types: string[]; orderBy: string } {
  const order = orderColumn(mapping);
  const alone = mapping.columns.order !== undefined || order.name === mapping.columns.id.name;
  const columns = alone ? [order] : [order, mapping.columns.id];
  const sql = columns.map((column) => columnSql(column, "o"));
  return { columns: sql, types: columns.map((column) => column.type), orderBy: sql.join(", ") };
}

export function messageId(mapping: OutboxMapping): string {
  return messageIdExpression(mapping, "o");
}

export function aggregateKey(context: StatementContext): string {
  return context.lanes ? aggregateKeyExpression(context.mapping, "o") : "NULL::text";
}

/**
 * Compares two positions as the database orders them: whole numbers by value, everything else by its text, which is
 * the order of ISO times in one zone, of uuids and of texts of digits.
 */
export function compareOrder(left: OrderKey, right: OrderKey): number {
  return compareTexts(left[0], right[0]) || compareTexts(left[1], right[1]);
}

const DIGITS = /^\d+$/;

function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  if (left.length !== right.length && DIGITS.test(left) && DIGITS.test(right)) return left.length - right.length;
  if (left.startsWith("-") || right.startsWith("-")) return compareSigned(left, right);
  return left < right ? -1 : 1;
}

function compareSigned(left: string, right: string): number {
  const [first, second] = [Number(left), Number(right)];
  return Number.isNaN(first) || Number.isNaN(second) || first === second ? (left < right ? -1 : 1) : first - second;
}
