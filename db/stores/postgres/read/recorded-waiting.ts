import { and, eq, gt, inArray, isNotNull, isNull, notInArray, type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { Waiting } from "#db/stores/port/outbox-figures.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { queryOn } from "../connection/query-on.ts";
import { delivery } from "../own-schema/schema.ts";
import { instantText } from "../tables/column-values.ts";
import { deliveryAs } from "./blocked-candidates.ts";
import { COUNT_CAP } from "./count-cap.ts";

/**
 * What waits of a table whose progress is kept in the log: the messages that our relay has put back into its records. Of the
 * rows without a record nobody knows whether they wait.
 */

const waits = ({ name }: OutboxRef, row = delivery): SQL | undefined =>
  and(eq(row.outbox, name), isNull(row.deadAt), isNotNull(row.nextAttemptAt));

/** Index: delivery_due_idx. */
export async function recordedOldest(client: PoolClient, ref: OutboxRef): Promise<Waiting["oldest"]> {
  const [row] = await queryOn(client)
    .select({
      id: delivery.messageId,
      ageSeconds: sql<number>`greatest(0, extract(epoch FROM clock_timestamp() - ${delivery.createdAt}))::float8`,
      dueAt: instantText(sql`${delivery.createdAt}`) as SQL<string>,
    })
    .from(delivery)
    .where(and(waits(ref), isNotNull(delivery.createdAt)))
    .orderBy(delivery.createdAt)
    .limit(1);
  return row ?? null;
}

/** Messages that wait behind a failed one of their aggregate. Index: delivery_due_idx. */
export async function recordedBlocked(client: PoolClient, ref: OutboxRef): Promise<Waiting["blocked"]> {
  const db = queryOn(client);
  const head = deliveryAs("h");
  const heads = db
    .select({ aggregate: head.aggregateKey })
    .from(head)
    .where(and(waits(ref, head), gt(head.attempts, 0)));
  const behind = db
    .select({ key: delivery.aggregateKey, created: delivery.createdAt })
    .from(delivery)
    .where(and(waits(ref), eq(delivery.attempts, 0), inArray(delivery.aggregateKey, heads)))
    .limit(COUNT_CAP + 1)
    .as("behind");
  const [row] = await db
    .select({
      messages: sql<number>`count(*)::int`,
      aggregates: sql<number>`count(DISTINCT ${behind.key})::int`,
      oldest: sql<number | null>`extract(epoch FROM clock_timestamp() - min(${behind.created}))::float8`,
    })
    .from(behind);
  const { messages = 0, aggregates = 0, oldest = null } = row ?? {};
  return {
    ...{ aggregates, oldestAgeSeconds: oldest, capped: messages > COUNT_CAP },
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
