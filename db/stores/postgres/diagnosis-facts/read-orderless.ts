import { sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { all } from "#db/stores/shared/states/conditions.ts";
import { unsent } from "#db/stores/shared/states/state-predicates.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import type { Orderless } from "#domain/diagnosis/facts/messages.ts";
import { queryOn } from "../connection/query-on.ts";
import { partBases, READ_BUDGET } from "../plans/table-access.ts";
import { entriesOf, readGuarded } from "../read/read-entries.ts";
import { instantOf, instantText } from "../tables/column-values.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { requireReading } from "./require-reading.ts";

/**
 * Unsent messages without a value in the column of the order, which our relay never finds. Null if that column always
 * has one. Index: the recommended one of waiting messages, at its end. Throws ScanRefused.
 */
export async function readOrderless(client: PoolClient, ref: OutboxRef): Promise<Orderless | null> {
  const { mapping } = ref;
  const column = orderColumn(mapping);
  if (!column.nullable) return null;
  const db = queryOn(client);
  const outbox = outboxTable(mapping);
  const { createdAt } = mapping.columns;
  const isOrderless = all(unsent(outbox), sql`${outbox.column(column)} IS NULL`);
  const reading = await requireReading(client, ref, [isOrderless, ...partBases(ref, "waiting")]);
  const at = createdAt ? sql`${instantOf(outbox, createdAt)}` : sql`NULL::timestamptz`;
  const looked = db
    .select({ at: at.as("at"), orderless: sql`${isOrderless}`.as("orderless") })
    .from(entriesOf(client, ref, reading, []) as PgTable)
    .as("looked");
  const query = db
    .select({
      looked: sql<number>`count(*)::int`,
      messages: sql<number>`count(*) FILTER (WHERE orderless)::int`,
      oldestAt: instantText(sql`min(at) FILTER (WHERE orderless)`),
    })
    .from(looked);
  const [found] = await readGuarded(client, reading, () => query);
  const { looked: entries, ...row } = found ?? { looked: 0, messages: 0, oldestAt: null };
  return { column: column.name, ...row, capped: reading.kind !== "whole" && entries >= READ_BUDGET };
}
