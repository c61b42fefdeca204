import { and, eq, gt, inArray, isNotNull, isNull, notInArray, type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { Waiting } from "#db/stores/port/outbox-figures.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { COUNT_CAP } from "#db/stores/shared/read/count-cap.ts";
import { RECORDS_READ } from "#db/stores/shared/read/recorded-counts.ts";
import { queryOn } from "../connection/query-on.ts";
import { delivery } from "../own-schema/schema.ts";
import { instantText } from "../tables/column-values.ts";
import { deliveryAs } from "./blocked-candidates.ts";

/**
 * Known waiting messages of a table whose progress is kept in the log: those that our relay has recorded. Rows without
 * a record may wait or be published.
 */

const waits = ({ name }: OutboxRef, row = delivery): SQL | undefined =>
  and(eq(row.outbox, name), isNull(row.deadAt), isNotNull(row.nextAttemptAt));

/** The oldest of the records that are due first: the true oldest is at least as old. Index: delivery_due_idx. */
export async function recordedOldest(client: PoolClient, ref: OutboxRef): Promise<Waiting["oldest"]> {
  const db = queryOn(client);
  const first = db
    .select({ id: delivery.messageId, createdAt: delivery.createdAt })
    .from(delivery)
    .where(waits(ref))
    .orderBy(delivery.nextAttemptAt)
    .limit(RECORDS_READ)
    .as("first");
  const [row] = await db
    .select({
      id: first.id,
      ageSeconds: sql<number>`greatest(0, extract(epoch FROM clock_timestamp() - ${first.createdAt}))::float8`,
      dueAt: instantText(sql`${first.createdAt}`) as SQL<string>,
    })
    .from(first)
    .where(isNotNull(first.createdAt))
    .orderBy(first.createdAt)
    .limit(1);
  return row ?? null;
}

/**
 * Messages that wait behind a failed one of their aggregate: looked for by the aggregates that have one, as paused ones
 * may have millions. Index: delivery_failing_idx, delivery_aggregate_idx.
 */
export async function recordedBlocked(client: PoolClient, ref: OutboxRef): Promise<Waiting["blocked"]> {
  const db = queryOn(client);
  const [head, row] = [deliveryAs("h"), deliveryAs("b")];
  const heads = db
    .selectDistinct({ key: head.aggregateKey })
    .from(head)
    .where(and(waits(ref, head), gt(head.attempts, 0), isNotNull(head.aggregateKey)))
    .limit(RECORDS_READ + 1);
  const waiting = db
    .select({ key: row.aggregateKey, created: row.createdAt })
    .from(row)
    .where(and(waits(ref, row), eq(row.attempts, 0), eq(row.aggregateKey, sql`heads.aggregate_key`)))
    .limit(COUNT_CAP + 1);
  const { rows } = await db.execute<{ messages: number; aggregates: number; oldest: number | null; heads: number }>(
    sql`SELECT count(behind.key)::int AS messages, count(DISTINCT behind.key)::int AS aggregates,
        extract(epoch FROM clock_timestamp() - min(behind.created))::float8 AS oldest, count(DISTINCT behind.head)::int AS heads
      FROM (SELECT heads.aggregate_key AS head, w.aggregate_key AS key, w.created_at AS created
        FROM (${heads.getSQL()}) AS heads LEFT JOIN LATERAL (${waiting.getSQL()}) AS w ON true LIMIT ${sql.raw(String(COUNT_CAP + 1))}) AS behind`,
  );
  const { messages = 0, aggregates = 0, oldest = null, heads: read = 0 } = rows[0] ?? {};
  return {
    ...{ aggregates, oldestAgeSeconds: oldest, capped: messages > COUNT_CAP || read > RECORDS_READ },
    messages: Math.min(messages, COUNT_CAP),
  };
}

/** By aggregate. Index: delivery_aggregate_idx. */
export async function recordedOf(
  client: PoolClient,
  ref: OutboxRef,
  { keys, without }: { keys: readonly string[]; without: readonly string[] },
): Promise<Map<string, number>> {
  const others = without.length === 0 ? undefined : notInArray(delivery.messageId, [...without]);
  const rows = await queryOn(client)
    .select({ key: delivery.aggregateKey, messages: sql<number>`count(*)::int` })
    .from(delivery)
    .where(and(waits(ref), inArray(delivery.aggregateKey, [...keys]), others))
    .groupBy(delivery.aggregateKey);
  return new Map(rows.map(({ key, messages }) => [key ?? "", messages]));
}
