import { and, eq, gt, inArray, isNotNull, isNull, notInArray, type SQL, sql } from "drizzle-orm";
import type { Waiting } from "#db/stores/port/outbox-figures.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { COUNT_CAP } from "#db/stores/shared/read/count-cap.ts";
import { RECORDS_READ } from "#db/stores/shared/read/recorded-counts.ts";
import type { Session } from "../connection/session.ts";
import { ageSeconds, asNumber, instantText } from "../tables/column-values.ts";
import { deliveryAs } from "./blocked-candidates.ts";

/**
 * Known waiting messages of a table whose progress is kept in the log: those that our relay has recorded. Rows without
 * a record may wait or be published.
 */

type Delivery = Session["own"]["delivery"];

const waits = ({ name }: OutboxRef, row: Delivery): SQL | undefined =>
  and(eq(row.outbox, name), isNull(row.deadAt), isNotNull(row.nextAttemptAt));

/** The oldest of the records that are due first: the true oldest is at least as old. Index: delivery_due_idx. */
export async function recordedOldest(session: Session, ref: OutboxRef): Promise<Waiting["oldest"]> {
  const { delivery } = session.own;
  const first = session.db
    .select({ id: delivery.messageId, createdAt: delivery.createdAt })
    .from(delivery)
    .where(waits(ref, delivery))
    .orderBy(delivery.nextAttemptAt)
    .limit(RECORDS_READ)
    .as("first");
  const [row] = await session.db
    .select({
      id: first.id,
      ageSeconds: ageSeconds(sql`${first.createdAt}`),
      dueAt: instantText(sql`${first.createdAt}`) as SQL<string>,
    })
    .from(first)
    .where(isNotNull(first.createdAt))
    .orderBy(first.createdAt)
    .limit(1);
  return row ? { ...row, ageSeconds: Math.max(0, row.ageSeconds ?? 0) } : null;
}

/**
 * Messages that wait behind a failed one of their aggregate: looked for by the aggregates that have one, as paused ones
 * may have millions. Index: delivery_due_idx, delivery_aggregate_idx.
 */
export async function recordedBlocked(session: Session, ref: OutboxRef): Promise<Waiting["blocked"]> {
  const { db } = session;
  const row = deliveryAs(session, "f");
  const head = deliveryAs(session, "e");
  const heads = db
    .selectDistinct({ key: sql`${head.aggregateKey}`.as("head_key") })
    .from(head)
    .where(and(waits(ref, head), gt(head.attempts, 0), isNotNull(head.aggregateKey)))
    .limit(RECORDS_READ + 1)
    .as("heads");
  const behind = db
    .select({ key: sql`${row.aggregateKey}`.as("aggregate"), created: sql`${row.createdAt}`.as("created") })
    .from(heads)
    .innerJoin(row, and(waits(ref, row), eq(row.attempts, 0), sql`${row.aggregateKey} = ${heads.key}`))
    .limit(COUNT_CAP + 1)
    .as("behind");
  const [found] = await db
    .select({
      messages: asNumber(sql`COUNT(*)`),
      aggregates: asNumber(sql`COUNT(DISTINCT aggregate)`),
      oldest: ageSeconds(sql`MIN(created)`),
    })
    .from(behind);
  const [looked] = await db.select({ heads: asNumber(sql`COUNT(*)`) }).from(heads);
  const { messages = 0, aggregates = 0, oldest = null } = found ?? {};
  return {
    ...{ aggregates, oldestAgeSeconds: oldest, capped: messages > COUNT_CAP || (looked?.heads ?? 0) > RECORDS_READ },
    messages: Math.min(messages, COUNT_CAP),
  };
}

/** By aggregate. Index: delivery_aggregate_idx. */
export async function recordedOf(
  session: Session,
  ref: OutboxRef,
  { keys, without }: { keys: readonly string[]; without: readonly string[] },
): Promise<Map<string, number>> {
  const { delivery } = session.own;
  const others = without.length === 0 ? undefined : notInArray(delivery.messageId, [...without]);
  const rows = await session.db
    .select({ key: delivery.aggregateKey, messages: asNumber(sql`COUNT(*)`) })
    .from(delivery)
    .where(and(waits(ref, delivery), inArray(delivery.aggregateKey, [...keys]), others))
    .groupBy(delivery.aggregateKey);
  return new Map(rows.map(({ key, messages }) => [key ?? "", messages]));
}
