import { and, desc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ScanRefused } from "#db/stores/port/scan-refused.ts";
import { MOST_DEAD_TEXTS, mergeDeadGroups } from "#db/stores/shared/read/merge-dead-groups.ts";
import { NEVER } from "#db/stores/shared/states/conditions.ts";
import { dead } from "#db/stores/shared/states/state-predicates.ts";
import type { DeadGroup } from "#domain/diagnosis/facts/messages.ts";
import type { Session } from "../connection/session.ts";
import { deliveryOrder } from "../plans/table-access.ts";
import { entriesOf } from "../read/read-entries.ts";
import {
  ageSeconds,
  asFlag,
  asNumber,
  exact,
  instantOf,
  instantText,
  NOW,
  shortened,
  textOf,
} from "../tables/column-values.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { type BoundedReading, requirePart } from "./require-reading.ts";

/** Newest dead messages read per place. Older ones were reported before or are in the same groups. */
const NEWEST = 10_000;
const ERROR_CHARACTERS = 500;

/**
 * Groups of dead messages by event type and error, largest first; from the store side, and from the table itself if it
 * marks messages dead. Null if neither does. Throws ScanRefused if only a scan could answer. Indexes:
 * dead_letter_time_idx, delivery_dead_idx, and the recommended index over dead rows.
 */
export async function readDeadGroups(session: Session, ref: OutboxRef): Promise<DeadGroup[] | null> {
  const reading = await nativeReading(session, ref);
  const kept = ref.storeSide
    ? [keptDead(session, ref.name, "dead_letter"), keptDead(session, ref.name, "delivery")]
    : [];
  const places = [...kept, ...(reading ? [nativeDead(ref, reading)] : [])];
  return places.length === 0 ? null : mergeDeadGroups(await groupsOf(session, places));
}

/** Digits of a time before an error text: the greatest of such texts has the newest error. */
const STAMP = "%Y%m%d%H%i%s%f";
const STAMP_CHARACTERS = 20;
const NO_STAMP = "0".repeat(STAMP_CHARACTERS);

/** Texts within a fingerprint differ; the newest is shown. Those without are grouped by text. */
function groupsOf({ db }: Session, places: readonly SQL[]): Promise<DeadGroup[]> {
  const rows = sql`(${sql.join(
    places.map((place) => sql`(${place})`),
    sql` UNION ALL `,
  )})`;
  const dead = db.$with("dead", COLUMNS).as(sql`SELECT * FROM ${rows} places`);
  const stamped = sql`CONCAT(COALESCE(DATE_FORMAT(died_at, ${STAMP}), ${NO_STAMP}), error)`;
  const newest = sql`SUBSTR(MAX(CASE WHEN fingerprint IS NOT NULL THEN ${stamped} END), ${STAMP_CHARACTERS + 1})`;
  const full = sql`SELECT place FROM dead GROUP BY place HAVING COUNT(*) >= ${NEWEST}`;
  const messages = asNumber(sql`COUNT(*)`);
  return db
    .with(dead)
    .select({
      eventType: sql<string | null>`MIN(event_type)`,
      code: sql<string | null>`MIN(code)`,
      error: sql<string | null>`COALESCE(${newest}, MIN(error))`,
      fingerprint: sql<string | null>`MIN(fingerprint)`,
      messages,
      capped: asFlag(sql`MAX(place IN (${full}))`),
      firstAt: instantText(sql`MIN(died_at)`),
      lastAt: instantText(sql`MAX(died_at)`),
      oldestSeconds: ageSeconds(sql`CASE WHEN COUNT(began_at) = COUNT(*) THEN MIN(began_at) END`),
      lastMinute: asNumber(sql`COUNT(CASE WHEN died_at > ${NOW} - INTERVAL 1 MINUTE THEN 1 END)`),
    })
    .from(dead)
    .groupBy(sql`${exact(sql`event_type`)}`, sql`${exact(sql`code`)}`, sql`${exact(sql`COALESCE(fingerprint, error)`)}`)
    .orderBy(desc(messages), sql`MAX(died_at) DESC`)
    .limit(MOST_DEAD_TEXTS) as unknown as Promise<DeadGroup[]>;
}

const COLUMNS = { place: sql`place`.as("place") };

/** Our records of dead messages, newest first. */
function keptDead(session: Session, outbox: string, place: "dead_letter" | "delivery"): SQL {
  const { delivery, deadLetter } = session.own;
  const kept = (place === "delivery" ? delivery : deadLetter) as typeof delivery;
  return sql`${session.db
    .select({
      place: sql`${place}`.as("place"),
      eventType: sql`${kept.eventType}`.as("event_type"),
      code: sql`${kept.lastErrorCode}`.as("code"),
      error: shortened(sql`${kept.lastError}`, ERROR_CHARACTERS).as("error"),
      fingerprint: sql`${kept.fingerprint}`.as("fingerprint"),
      diedAt: sql`COALESCE(${kept.lastFailedAt}, ${kept.deadAt})`.as("died_at"),
      beganAt:
        sql`LEAST(COALESCE(${kept.createdAt}, ${kept.firstFailedAt}), COALESCE(${kept.firstFailedAt}, ${kept.createdAt}))`.as(
          "began_at",
        ),
    })
    .from(kept)
    .where(and(eq(kept.outbox, outbox), isNotNull(kept.deadAt)))
    .orderBy(desc(kept.deadAt))
    .limit(NEWEST)
    .getSQL()}`;
}

/** How to read the dead rows of the table itself; null if it does not mark any. */
async function nativeReading(session: Session, ref: OutboxRef): Promise<BoundedReading | null> {
  if (dead(outboxTable(ref.mapping)) === NEVER) return null;
  try {
    return await requirePart(session, ref, "dead");
  } catch (error) {
    // Dead messages of the store side are still reported; the figures show whether the table's count is known.
    if (ref.storeSide && error instanceof ScanRefused) return null;
    throw error;
  }
}

/**
 * Dead rows of the table, the newest if an index has them in order. Most tables have no time of death; it is then null.
 */
function nativeDead(ref: OutboxRef, reading: BoundedReading): SQL {
  const { mapping } = ref;
  const { createdAt, eventType, lastError, publishedAt } = mapping.columns;
  const outbox = outboxTable(mapping);
  const diedAt: SQL = publishedAt && mapping.lifecycle.kind === "status" ? instantOf(outbox, publishedAt) : sql`NULL`;
  const newest = { ...deliveryOrder(ref), descending: true };
  return sql`SELECT 'table' AS place, ${textOf(outbox, eventType)} AS event_type, NULL AS code,
      ${shortened(textOf(outbox, lastError), ERROR_CHARACTERS)} AS error, NULL AS fingerprint, ${diedAt} AS died_at,
      ${createdAt ? instantOf(outbox, createdAt) : sql`NULL`} AS began_at
    FROM ${entriesOf(ref, reading, { order: newest, budget: NEWEST })} WHERE ${dead(outbox)} LIMIT ${sql.raw(String(NEWEST))}`;
}
