import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { PoolClient } from "pg";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { queryOn } from "../connection/query-on.ts";
import { deadLetter, delivery } from "../own-schema/schema.ts";

/**
 * Locks dead letters. Skips those that another session has locked; with `noWait` throws 55P03 for them instead.
 * Index: primary key of dead_letter.
 */
export async function lockDeadLetters(
  client: PoolClient,
  ref: OutboxRef,
  ids: readonly string[],
  { noWait = false } = {},
): Promise<string[]> {
  const rows = await queryOn(client)
    .select({ id: deadLetter.messageId })
    .from(deadLetter)
    .where(and(eq(deadLetter.outbox, ref.name), isAmong(deadLetter.messageId, ids)))
    .for("update", noWait ? { noWait } : { skipLocked: true });
  return rows.map(({ id }) => id);
}

/**
 * Locks the delivery rows of messages that are dead and still in their table; those that another session has locked are
 * left out. Index: primary key of delivery.
 */
export async function lockDeadInTable(client: PoolClient, ref: OutboxRef, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await queryOn(client)
    .select({ id: delivery.messageId })
    .from(delivery)
    .where(and(eq(delivery.outbox, ref.name), isAmong(delivery.messageId, ids), isNotNull(delivery.deadAt)))
    .for("update", { skipLocked: true });
  return rows.map(({ id }) => id);
}

/** One parameter, however many there are. */
function isAmong(column: PgColumn, ids: readonly string[]): SQL {
  return sql`${column} = ANY(${sql.param([...ids])}::text[])`;
}
