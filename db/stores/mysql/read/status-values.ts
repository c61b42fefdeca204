import { desc, sql } from "drizzle-orm";
import { type OutboxMapping, tellerOf } from "#db/stores/port/mapping.ts";
import type { StatusValues } from "#db/stores/port/outbox-reader.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { Session } from "../connection/session.ts";
import { asNumber, exact, textOf } from "../tables/column-values.ts";
import { outboxTable } from "../tables/outbox-table.ts";

/** Rows read, newest first by the primary key's index. */
const NEWEST = 10_000;
const MOST_VALUES = 50;

/** Values of the column that marks the state. Null if there is no single one. */
export async function readStatusValues(session: Session, { mapping }: OutboxRef): Promise<StatusValues | null> {
  const column = tellerOf(mapping);
  if (!column) return null;
  const outbox = outboxTable(mapping);
  const newest = session.db
    .select({ value: exact(textOf(outbox, column)).as("value") })
    .from(outbox.rows)
    .orderBy(...newestFirst(mapping))
    .limit(NEWEST)
    .as("newest");
  const rows = asNumber(sql`COUNT(*)`);
  const found = await session.db
    .select({ value: sql<string | null>`${newest.value}`, rows })
    .from(newest)
    .groupBy(newest.value)
    .orderBy(desc(rows))
    .limit(MOST_VALUES);
  const read = found.reduce((sum, one) => sum + one.rows, 0);
  return { column: column.name, values: found, read, more: read >= NEWEST };
}

function newestFirst(mapping: OutboxMapping) {
  const { column } = outboxTable(mapping);
  return mapping.primaryKey.map((key) => sql`${column(key)} DESC`);
}
