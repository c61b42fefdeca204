import { and, asc, desc, eq, inArray, isNotNull, lt, lte, or, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type { Pool } from "pg";
import { storableText } from "../stores/shared/relay/storable-text.ts";
import { instant, NOW } from "./instants.ts";
import { alertDelivery, alertState } from "./schema.ts";

type AlertEvent = "trigger" | "resolve" | "test";
export type AlertStatus = "pass" | "warn" | "fail";

export interface AlertStateRow {
  webhook: string;
  outbox: string;
  /** Status in the last alert that the webhook got. */
  notified: AlertStatus;
  seen: AlertStatus;
  /** Time for which health has been `seen`, without gaps in observation; ms, on the database's clock. */
  seenMs: number;
}

export interface NewAlert {
  webhook: string;
  outbox: string;
  event: AlertEvent;
  status: AlertStatus;
  /** Sentence: the diagnosis at that time. */
  summary: string;
}

export interface AlertRow extends NewAlert {
  id: number;
  at: string;
  attempts: number;
  deliveredAt: string | null;
  /** Null when it was delivered or given up. */
  nextAttemptAt: string | null;
  error: string | null;
}

export interface DueAlert extends AlertRow {
  /** Time since it was queued, on the database's clock. */
  ageMs: number;
}

const inMs = (ms: number) => sql`${NOW} + ${ms} * interval '1 millisecond'`;

const deliveryColumns = {
  id: alertDelivery.id,
  webhook: alertDelivery.webhook,
  outbox: alertDelivery.outbox,
  event: sql<AlertEvent>`${alertDelivery.event}`,
  status: sql<AlertStatus>`${alertDelivery.status}`,
  summary: alertDelivery.summary,
  at: instant<string>(alertDelivery.at),
  attempts: alertDelivery.attempts,
  deliveredAt: instant<string | null>(alertDelivery.deliveredAt),
  nextAttemptAt: instant<string | null>(alertDelivery.nextAttemptAt),
  error: alertDelivery.error,
};

/** `gapMs`: after so long without an observation, the health in between is unknown and the time restarts. */
export type AlertObservation = Pick<AlertStateRow, "webhook" | "outbox" | "seen"> & { gapMs: number };

/** Writes an outbox's present health, and returns the state with the time for which it has been observed. */
export async function observeAlert(
  db: Pool,
  { webhook, outbox, seen, gapMs }: AlertObservation,
): Promise<AlertStateRow> {
  const goesOn = sql`${alertState.seen} = ${seen} AND ${alertState.seenAt} > ${NOW} - ${gapMs} * interval '1 millisecond'`;
  const [row] = await drizzle(db)
    .insert(alertState)
    .values({ webhook, outbox, notified: "pass", seen, seenSince: NOW, seenAt: NOW })
    .onConflictDoUpdate({
      target: [alertState.webhook, alertState.outbox],
      set: {
        seen,
        seenSince: sql`CASE WHEN ${goesOn} THEN ${alertState.seenSince} ELSE ${NOW} END`,
        seenAt: NOW,
      },
    })
    .returning({
      webhook: alertState.webhook,
      outbox: alertState.outbox,
      notified: sql<AlertStatus>`${alertState.notified}`,
      seen: sql<AlertStatus>`${alertState.seen}`,
      seenMs: sql<number>`(extract(epoch FROM ${NOW} - ${alertState.seenSince}) * 1000)::float8`,
    });
  if (!row) throw new Error("An upsert returned no row.");
  return row;
}

/**
 * Queues an alert and stores its status as the webhook's last; does nothing if another process has queued that status.
 */
export function queueAlert(db: Pool, alert: NewAlert): Promise<void> {
  return drizzle(db).transaction(async (tx) => {
    if (alert.event !== "test") {
      const told = await tx
        .update(alertState)
        .set({ notified: alert.status })
        .where(
          and(
            eq(alertState.webhook, alert.webhook),
            eq(alertState.outbox, alert.outbox),
            sql`${alertState.notified} <> ${alert.status}`,
          ),
        );
      if (told.rowCount === 0) return;
    }
    await tx.insert(alertDelivery).values({ ...alert, summary: storableText(alert.summary), nextAttemptAt: NOW });
  });
}

/**
 * Alerts that are due, at most so many of each webhook, those first that have been due longest. An alert waits for
 * earlier ones of its webhook and outbox.
 */
export async function dueAlerts(db: Pool, ofEachWebhook: number): Promise<DueAlert[]> {
  const earlier = sql`EXISTS (SELECT FROM ${alertDelivery} AS e WHERE e.webhook = ${alertDelivery.webhook}
    AND e.outbox = ${alertDelivery.outbox} AND e.id < ${alertDelivery.id} AND e.next_attempt_at IS NOT NULL)`;
  const place = sql<number>`row_number() OVER (PARTITION BY ${alertDelivery.webhook} ORDER BY ${alertDelivery.nextAttemptAt}, ${alertDelivery.id})`;
  const due = drizzle(db)
    .select({ id: alertDelivery.id, place: place.as("place") })
    .from(alertDelivery)
    .where(and(lte(alertDelivery.nextAttemptAt, NOW), sql`NOT ${earlier}`))
    .as("due");
  return drizzle(db)
    .select({
      ...deliveryColumns,
      ageMs: sql<number>`(extract(epoch FROM ${NOW} - ${alertDelivery.at}) * 1000)::float8`,
    })
    .from(alertDelivery)
    .innerJoin(due, eq(due.id, alertDelivery.id))
    .where(lte(due.place, ofEachWebhook))
    .orderBy(asc(due.place), asc(alertDelivery.id));
}

/**
 * `retryMs`: time until the next try; null if the alert is given up. Then the webhook's last status becomes the one
 * before, so that a new alert reports the present health: otherwise an outbox that keeps failing would never be
 * reported again.
 */
export async function settleAlert(
  db: Pool,
  id: number,
  outcome: { delivered: true } | { delivered: false; error: string; retryMs: number | null },
): Promise<void> {
  const attempts = sql`${alertDelivery.attempts} + 1`;
  const set = outcome.delivered
    ? { attempts, deliveredAt: NOW, nextAttemptAt: null, error: null }
    : {
        attempts,
        error: storableText(outcome.error),
        nextAttemptAt: outcome.retryMs === null ? null : inMs(outcome.retryMs),
      };
  await drizzle(db).transaction(async (tx) => {
    const [settled] = await tx
      .update(alertDelivery)
      .set(set)
      .where(eq(alertDelivery.id, id))
      .returning({ webhook: alertDelivery.webhook, outbox: alertDelivery.outbox, event: alertDelivery.event });
    const isOver = !outcome.delivered && outcome.retryMs === null;
    if (!isOver || !settled || settled.event === "test") return;
    const { webhook, outbox } = settled;
    const ofBoth = sql`FROM ${alertDelivery} AS d WHERE d.webhook = ${webhook} AND d.outbox = ${outbox} AND d.event <> 'test'`;
    const told = sql`coalesce((SELECT d.status ${ofBoth} AND d.delivered_at IS NOT NULL ORDER BY d.id DESC LIMIT 1), 'pass')`;
    await tx
      .update(alertState)
      .set({ notified: told })
      .where(
        and(
          eq(alertState.webhook, webhook),
          eq(alertState.outbox, outbox),
          sql`NOT EXISTS (SELECT ${ofBoth} AND d.id > ${id})`,
        ),
      );
  });
}

/** Newest first; of these outboxes only, where `outboxes` is not null. */
export async function listAlerts(
  db: Pool,
  { outboxes, limit }: { outboxes: readonly string[] | null; limit: number },
): Promise<AlertRow[]> {
  return drizzle(db)
    .select(deliveryColumns)
    .from(alertDelivery)
    .where(outboxes === null ? undefined : inArray(alertDelivery.outbox, [...outboxes]))
    .orderBy(desc(alertDelivery.id))
    .limit(limit);
}

/** Deletes older alerts that were delivered or given up. Returns how many. */
export async function deleteOldAlerts(db: Pool, keepDays: number): Promise<number> {
  const old = lt(alertDelivery.at, sql`${NOW} - make_interval(days => ${keepDays})`);
  const over = or(isNotNull(alertDelivery.deliveredAt), sql`${alertDelivery.nextAttemptAt} IS NULL`);
  const gone = await drizzle(db).delete(alertDelivery).where(and(old, over));
  return gone.rowCount ?? 0;
}
