import { desc, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import { type OutboxMapping, tellerOf } from "#db/stores/port/mapping.ts";
import type { StatusValues } from "#db/stores/port/outbox-reader.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { queryOn } from "../connection/query-on.ts";
import { textOf } from "../tables/column-values.ts";
import { outboxTable } from "../tables/outbox-table.ts";

/** Rows read, newest first by the primary key's index. */
const NEWEST = 10_000;
const MOST_VALUES = 50;

/** Values of the column that marks the state. Null if there is no single one. */
export async function readStatusValues(client: PoolClient, { mapping }: OutboxRef): Promise<StatusValues | null> {
  const column = tellerOf(mapping);
  if (!column) return null;
  const db = queryOn(client);
  const outbox = outboxTable(mapping);
  const newest = db
    .select({ value: textOf(outbox, column).as("value") })
    .from(outbox.rows)
    .orderBy(...newestFirst(mapping))
    .limit(NEWEST)
    .as("newest");
  const rows = sql<number>`count(*)::int`;
  const values = await db
    .select({ value: newest.value, rows })
    .from(newest)
    .groupBy(newest.value)
    .orderBy(desc(rows))
    .limit(MOST_VALUES);
  const read = values.reduce((sum, one) => sum + one.rows, 0);
  return { column: column.name, values, read, more: read >= NEWEST };
}

function newestFirst(mapping: OutboxMapping) {
  const { column } = outboxTable(mapping);
  return mapping.primaryKey.map((key) => sql`${column(key)} DESC`);
}
