import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { MappingFingerprint } from "#db/stores/port/mapping-fingerprint.ts";
import type { PausesInForce } from "#db/stores/shared/relay/pauses-in-force.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import type { RelaySessions } from "../connection/sessions.ts";
import { aggregateKeyExpression, columnSql, messageIdExpression } from "../tables/mapping-sql.ts";
import type { ReadPlace } from "./row-version.ts";

/**
 * How a claim sums up payload sizes, because payloads may be large; false if the TOAST table is empty. `bounded`: by
 * the bound of the uncompressed size. `stored`: by the stored size, where the server does not say which are compressed.
 */
export type Measured = false | "bounded" | "stored";

/** Context of every statement of one outbox's relay. */
export interface RelayContext {
  outbox: string;
  mapping: OutboxMapping;
  sessions: RelaySessions;
  /** Each aggregate is an ordered lane; if false, every message is its own lane. */
  lanes: boolean;
  /** Written with each attempt. */
  relayId: string;
  sinkName: string;
  maxAttempts: number;
  /** The accepted mapping; undefined if nothing is compared. */
  accepted: MappingFingerprint | undefined;
  /** SQL: true while the table matches the accepted mapping; see mapping-holds.ts. */
  mappingHolds: string;
  /** What marks a message as published: the row's columns, its deletion, or only the stream's position. */
  mark: "column" | "delete" | "none";
  /** Further columns of a message, keyed by their names in it. */
  fields: Readonly<Record<string, string>>;
  onDead: "pass" | "hold";
  /** Active pauses as last read; reads and claims exclude them. */
  paused: PausesInForce;
  /** Event types of failing routes, as last set by the relay: their retries and messages without an aggregate wait. */
  leftOut: readonly string[];
  /** How a claim sums up payloads, as the server was last found to be able to. */
  measures: Exclude<Measured, false>;
  place: ReadPlace;
  /**
   * When marks were last looked at, by performance.now(); and whether the database has left a row as it was under one.
   */
  marks: { lookedAtMs: number; ignored: boolean };
  /** Suspect ids as last read: messages in flight when a relay died. Any outcome clears them. */
  suspects: Set<string>;
}

/** The parts of the context that determine a statement's text. */
export type StatementContext = Omit<RelayContext, "sessions" | "marks" | "place">;

/**
 * The columns that order first deliveries, as SQL over one row `o`: the sequence alone, or the creation time and then
 * the id, since all messages of a transaction share it. With the id after a sequence every read would sort.
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
