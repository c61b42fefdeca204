import { type SQL, type Subquery, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { queryOn } from "../connection/query-on.ts";
import { withIndexesOnly } from "../plans/find-access.ts";
import { READ_BUDGET, type Reading } from "../plans/table-access.ts";
import { outboxTable } from "../tables/outbox-table.ts";

/** The rows `t` of one read, with all columns and `xmax`: the whole table, or at most `READ_BUDGET` index entries. */
export function entriesOf(
  client: PoolClient,
  ref: OutboxRef,
  reading: Reading,
  order: readonly SQL[],
): Subquery | PgTable {
  const { rows, every } = outboxTable(ref.mapping);
  if (reading.kind !== "index") return rows;
  const { predicate, ordered } = reading.access;
  const fields = { ...every, xmax: sql`${rows}.xmax`.as("xmax") };
  const entries = queryOn(client).select(fields).from(rows).where(predicate).$dynamic();
  return (ordered && order.length > 0 ? entries.orderBy(...order) : entries).limit(READ_BUDGET).as("t");
}

/** Reads an index that holds other rows too from its new end: dead rows are older than waiting ones. */
export function entryOrder(reading: Reading, order: readonly SQL[]): SQL[] {
  const backwards = reading.kind === "index" && !reading.access.exact;
  return order.map((column) => (backwards ? sql`${column} DESC` : column));
}

/** Runs a read of `entriesOf` so that wrong statistics cannot turn it into a scan. */
export function readGuarded<T>(client: PoolClient, reading: Reading, work: () => PromiseLike<T>): Promise<T> {
  return reading.kind === "index" ? withIndexesOnly(client, work) : Promise.resolve(work());
}
