import type { Pool } from "pg";
import type { EventSpec, TableLayout } from "../outbox-table.ts";

/** A session of another program, with an open transaction. */
interface HeldLocks {
  /** Rolls back. */
  end(): Promise<unknown>;
}

/** The database of a stack's outboxes, and what incidents do in it. */
export interface IncidentStore {
  /** Loopback port of its server. */
  port: number;
  /** The store's section of outbox.yaml for a program that reaches the server at this port. */
  section(port: number): Record<string, unknown>;
  /** Postgres' pool. Throws on another database. */
  readonly pool: Pool;
  createTable(table: string, layout: TableLayout): Promise<void>;
  /** Writes events into a relayed table in one transaction, as a producer does; returns ids in order. */
  insert(table: string, events: readonly EventSpec[]): Promise<string[]>;
  run(sql: string): Promise<void>;
  /** On the database's clock. */
  now(): Promise<string>;
  count(table: string, where: string): Promise<number>;
  /** How many of the messages are not marked as published. */
  countUnmarked(table: string, ids: readonly string[]): Promise<number>;
  /** Outboxes that the process with this id owns. */
  ownedBy(pid: number): Promise<string[]>;
  /** True if a relay whose heartbeat is fresh says that it is paused. */
  isPaused(outbox: string): Promise<boolean>;
  lockRows(applicationName: string, table: string, ids: readonly string[]): Promise<HeldLocks>;
  close(): Promise<void>;
}
