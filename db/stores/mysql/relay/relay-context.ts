import { sql } from "drizzle-orm";
import type { MySqlTable } from "drizzle-orm/mysql-core";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { MappingFingerprint } from "#db/stores/port/mapping-fingerprint.ts";
import type { PausesInForce } from "#db/stores/shared/relay/pauses-in-force.ts";
import { toText } from "../connection/dialect.ts";
import type { OwnTables } from "../connection/session.ts";
import type { RelaySessions } from "../connection/sessions.ts";
import { aggregateKeyExpression, exact, messageIdExpression } from "../tables/mapping-sql.ts";
import type { TableFacts } from "./table-facts.ts";
import type { TableGuard } from "./table-guard.ts";
import type { OpenTransactions } from "./transactions/open-transactions.ts";

/** Context of every statement of one outbox's relay. */
export interface RelayContext {
  outbox: string;
  mapping: OutboxMapping;
  sessions: RelaySessions;
  /** Our own tables, where this store keeps them. */
  own: OwnTables;
  /** Each aggregate is an ordered lane; if false, every message is its own lane. */
  lanes: boolean;
  /** Written with each attempt. */
  relayId: string;
  sinkName: string;
  maxAttempts: number;
  /** The accepted mapping; undefined if nothing is compared. */
  accepted: MappingFingerprint | undefined;
  guard: TableGuard;
  /** Further columns of a message, keyed by their names in it. */
  fields: Readonly<Record<string, string>>;
  /** What marks a message as published: the row's columns, its deletion, or only the stream's position. */
  mark: "column" | "delete" | "none";
  onDead: "pass" | "hold";
  /** Active pauses as last read; reads and claims exclude them. */
  paused: PausesInForce;
  /** Event types of failing routes, as last set by the relay: their retries and messages without an aggregate wait. */
  leftOut: readonly string[];
  /** Suspect ids as last read: messages in flight when a relay died. Any outcome clears them. */
  suspects: Set<string>;
  /** Indexes and columns that statements are written for; read as a term begins. */
  facts: TableFacts;
  transactions: OpenTransactions;
  /**
   * `kept` once a mark was verified before its commit; `ignored` once the database has left a row unchanged: from then
   * on each mark is verified.
   */
  marks: { seen: "nothing" | "kept" | "ignored" };
}

/** What a statement's text depends on. */
export type StatementContext = Omit<RelayContext, "sessions" | "transactions" | "guard" | "marks">;

const names = new WeakMap<MySqlTable, string>();

/** The quoted name of one of our own tables. */
export function ownName(table: MySqlTable): string {
  const known = names.get(table) ?? toText(sql`${table}`);
  names.set(table, known);
  return known;
}

/** Message id of row `o`, in utf8mb4. */
export function messageId(mapping: OutboxMapping): string {
  return messageIdExpression(mapping, "o");
}

/** The same as the bytes that our own tables hold. */
export function messageIdBytes(mapping: OutboxMapping): string {
  return exact(messageId(mapping));
}

export function aggregateKey(context: StatementContext): string {
  return context.lanes ? aggregateKeyExpression(context.mapping, "o") : "NULL";
}
