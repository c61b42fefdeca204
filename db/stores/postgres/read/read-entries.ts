import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { withIndexesOnly } from "../plans/find-access.ts";
import { READ_BUDGET, type Reading } from "../plans/table-access.ts";
import { quoteTable } from "../tables/mapping-sql.ts";

/**
 * The rows that one read looks at, as the `FROM` item of `t`: all of a table that is read whole, else the budget's.
 * `select` names what else than the columns is wanted of a row.
 */
export function entriesOf(ref: OutboxRef, reading: Reading, order: string | null, select?: string): string {
  const table = quoteTable(ref.mapping.table);
  if (reading.kind !== "index") return select ? `(SELECT ${select} FROM ${table} t)` : table;
  const { predicate, ordered } = reading.access;
  return `(SELECT ${select ?? "t.*"} FROM ${table} t WHERE ${predicate} ${order !== null && ordered ? `ORDER BY ${order}` : ""} LIMIT ${READ_BUDGET})`;
}

/** Entries of an index that holds other rows too are read from its end: what was given up on is older than what waits. */
export function entryOrder(reading: Reading, order: string): string {
  return reading.kind === "index" && !reading.access.exact ? `${order} DESC` : order;
}

/** Runs a read of `entriesOf`, so that no wrong statistics turn it into a scan. */
export function readGuarded<T>(client: PoolClient, reading: Reading, work: () => Promise<T>): Promise<T> {
  return reading.kind === "index" ? withIndexesOnly(client, work) : work();
}
