import { type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { Pool } from "pg";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { errorCode } from "#db/stores/shared/connection/driver-error.ts";
import { all } from "#db/stores/shared/states/conditions.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import { castTo } from "../connection/dialect.ts";
import { type Database, queryOn } from "../connection/query-on.ts";
import { withReadTransaction } from "../connection/transaction.ts";
import { comparisonType } from "../tables/column-values.ts";
import { movedTables } from "../tables/message-columns.ts";
import { keysOf, messageId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { keyIs } from "./find-message.ts";

const TIMEOUT_MS = 2000;

/**
 * Sorts ids in the order of first deliveries: by order column (without one, creation time), then id. Looks in the table
 * and among the dead letters, by key. Unknown ids come last, in their given order. If an id cannot be a key value at
 * all, the order is unchanged.
 */
export async function inOutboxOrder(pool: Pool, ref: OutboxRef, ids: readonly string[]): Promise<string[]> {
  const keys = keysOf(ref.mapping, ids);
  const arrays = ref.mapping.primaryKey.map((_, index) => keys.map((key) => key[index] ?? ""));
  const found = await withReadTransaction(pool, TIMEOUT_MS, async (client) => {
    const rows = await ordered(queryOn(client), ref, { ids, arrays });
    return rows.map(({ id }) => id);
  }).catch((error: unknown) => {
    if (errorCode(error)?.startsWith("22")) return [];
    throw error;
  });
  const known = new Set(found);
  return [...found, ...ids.filter((id) => !known.has(id))];
}

function ordered(
  db: Database,
  ref: OutboxRef,
  { ids, arrays }: { ids: readonly string[]; arrays: readonly (readonly string[])[] },
) {
  const { mapping } = ref;
  const outbox = outboxTable(mapping);
  const m = movedTables.dead_letter;
  const by = [orderColumn(mapping), mapping.columns.id] as const;
  const select = (id: SQL<string>, valueIn: (column: MappedColumn) => SQL) => ({
    id: id.as("id"),
    first: comparedAs(by[0], valueIn).as("order_0"),
    second: comparedAs(by[1], valueIn).as("order_1"),
  });
  const inTable = db
    .select(select(messageId(outbox), outbox.column))
    .from(outbox.rows)
    .where(keyIs(mapping, arrays));
  const moved = db
    .select(select(sql`${m.messageId}`, ({ name }) => sql`${m.image} ->> ${name}::text`))
    .from(m)
    .where(
      all(
        sql`${m.outbox} = ${ref.name}`,
        sql`${m.messageId} = ANY(${sql.param(ids)}::text[])`,
        sql`${m.image} IS NOT NULL`,
      ),
    );
  const found = unionAll(inTable, moved).as("found");
  return db.select({ id: found.id }).from(found).orderBy(sql`order_0`, sql`order_1`);
}

/** A column's value cast to its comparison type. */
function comparedAs(column: MappedColumn, valueIn: (column: MappedColumn) => SQL): SQL {
  return sql`(${valueIn(column)})${castTo(comparisonType(column.type))}`;
}
