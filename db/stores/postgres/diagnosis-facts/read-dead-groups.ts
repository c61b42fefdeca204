import { and, desc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { type PgTable, unionAll } from "drizzle-orm/pg-core";
import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ScanRefused } from "#db/stores/port/scan-refused.ts";
import { MOST_DEAD_TEXTS, mergeDeadGroups } from "#db/stores/shared/read/merge-dead-groups.ts";
import { NEVER } from "#db/stores/shared/states/conditions.ts";
import { dead } from "#db/stores/shared/states/state-predicates.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import type { DeadGroup } from "#domain/diagnosis/facts/messages.ts";
import { type Database, queryOn } from "../connection/query-on.ts";
import { deadLetter, delivery } from "../own-schema/schema.ts";
import { entriesOf, readGuarded } from "../read/read-entries.ts";
import { ageOf, instantOf, instantText, shortened, textOf } from "../tables/column-values.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { type BoundedReading, requirePart } from "./require-reading.ts";

/**
 * Newest dead messages read per place of our own records. Older ones were reported before or are in the same groups.
 */
const NEWEST = 10_000;
/** Dead rows read from the outbox table. They are scattered, one to a page, and cost some 1 µs each to read. */
const NEWEST_OF_TABLE = 5_000;
const ERROR_CHARACTERS = 500;

/**
 * Groups of dead messages by event type and error, largest first; from the store side, and from the table itself if it
 * marks messages dead. Null if neither does. Throws ScanRefused if only a scan could answer. Indexes:
 * dead_letter_time_idx, delivery_dead_idx, and the recommended index over dead rows.
 */
export async function readDeadGroups(client: PoolClient, ref: OutboxRef): Promise<DeadGroup[] | null> {
  const db = queryOn(client);
  const reading = await nativeReading(client, ref);
  const kept = ref.storeSide ? [keptDead(db, ref.name, deadLetter), keptDead(db, ref.name, delivery)] : [];
  const [first, second, ...others] = [...kept, ...(reading ? [nativeDead(client, ref, reading)] : [])];
  if (!first) return null;
  const query = groupsOf(db, second ? unionAll(first, second, ...others) : first);
  const texts = await readGuarded(client, reading ?? { kind: "whole" }, () => query);
  return mergeDeadGroups(texts);
}

type Place = ReturnType<typeof keptDead>;

/**
 * Hash grouping, within each place first: sorting 10,000 error texts would exceed work_mem, and the sum of a place's
 * groups is its number of rows. Texts within a fingerprint differ; the newest is shown. Rows without a fingerprint are
 * grouped by their text, and merged afterwards.
 */
function groupsOf(db: Database, places: Pick<Place, "as">) {
  const newest = sql`max(ARRAY[coalesce(to_char(died_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), ''), error])`;
  const ofPlace = db.$with("of_place").as(
    db
      .select({
        place: sql`place`.as("place"),
        eventType: sql`event_type`.as("event_type"),
        code: sql`code`.as("code"),
        key: sql`coalesce(fingerprint, error)`.as("key"),
        newest: sql`${newest} FILTER (WHERE fingerprint IS NOT NULL)`.as("newest"),
        error: sql`min(error)`.as("error"),
        fingerprint: sql`min(fingerprint)`.as("fingerprint"),
        messages: sql`count(*)`.as("messages"),
        firstAt: sql`min(died_at)`.as("first_at"),
        lastAt: sql`max(died_at)`.as("last_at"),
        began: sql`CASE WHEN bool_and(began_at IS NOT NULL) THEN min(began_at) END`.as("began"),
        lastMinute: sql`count(*) FILTER (WHERE died_at > clock_timestamp() - interval '1 minute')`.as("last_minute"),
      })
      .from(places.as("places"))
      .groupBy(sql`place, event_type, code, coalesce(fingerprint, error)`),
  );
  const full = sql`SELECT place FROM of_place GROUP BY place HAVING sum(messages) >= CASE place WHEN 'table' THEN ${NEWEST_OF_TABLE}::bigint ELSE ${NEWEST}::bigint END`;
  const messages = sql<number>`sum(messages)::int`;
  return db
    .with(ofPlace)
    .select({
      eventType: sql<string | null>`event_type`,
      code: sql<string | null>`code`,
      error: sql<string | null>`coalesce((max(newest))[2], min(error))`,
      fingerprint: sql<string | null>`min(fingerprint)`,
      messages,
      capped: sql<boolean>`bool_or(place IN (${full}))`,
      firstAt: instantText(sql`min(first_at)`),
      lastAt: instantText(sql`max(last_at)`),
      oldestSeconds: ageOf(sql`CASE WHEN bool_and(began IS NOT NULL) THEN min(began) END`),
      lastMinute: sql<number>`sum(last_minute)::int`,
    })
    .from(ofPlace)
    .groupBy(sql`event_type, code, key`)
    .orderBy(desc(messages), sql`max(last_at) DESC NULLS LAST`)
    .limit(MOST_DEAD_TEXTS);
}

function keptDead(db: Database, outbox: string, table: typeof deadLetter | typeof delivery) {
  const kept = table as typeof delivery;
  return db
    .select({
      place: sql<string>`${table === delivery ? "delivery" : "dead_letter"}::text`.as("place"),
      eventType: sql<string | null>`${kept.eventType}`.as("event_type"),
      code: sql<string | null>`${kept.lastErrorCode}`.as("code"),
      error: shortened(sql`${kept.lastError}`, ERROR_CHARACTERS).as("error"),
      fingerprint: sql<string | null>`${kept.fingerprint}`.as("fingerprint"),
      diedAt: sql<string | null>`coalesce(${kept.lastFailedAt}, ${kept.deadAt})`.as("died_at"),
      beganAt: sql<string | null>`least(${kept.createdAt}, ${kept.firstFailedAt})`.as("began_at"),
    })
    .from(kept)
    .where(and(eq(kept.outbox, outbox), isNotNull(kept.deadAt)))
    .orderBy(desc(kept.deadAt))
    .limit(NEWEST);
}

/** How to read the dead rows of the table itself; null if it does not mark any. */
async function nativeReading(client: PoolClient, ref: OutboxRef): Promise<BoundedReading | null> {
  if (dead(outboxTable(ref.mapping)) === NEVER) return null;
  try {
    return await requirePart(client, ref, "dead", newestFirst(ref));
  } catch (error) {
    // Dead messages of the store side are still reported; the figures show whether the table's count is known.
    if (ref.storeSide && error instanceof ScanRefused) return null;
    throw error;
  }
}

function newestFirst({ mapping }: OutboxRef): SQL[] {
  return [sql`${outboxTable(mapping).column(mapping.columns.createdAt ?? orderColumn(mapping))} DESC`];
}

/**
 * Dead rows of the table, the newest if an index has them in order. Most tables have no time of death; it is then null.
 */
function nativeDead(client: PoolClient, ref: OutboxRef, reading: BoundedReading): Place {
  const { mapping } = ref;
  const { createdAt, eventType, lastError, publishedAt } = mapping.columns;
  const outbox = outboxTable(mapping);
  const diedAt: SQL =
    publishedAt && mapping.lifecycle.kind === "status" ? instantOf(outbox, publishedAt) : sql`NULL::timestamptz`;
  const query = queryOn(client)
    .select({
      place: sql<string>`'table'::text`.as("place"),
      eventType: sql<string | null>`${textOf(outbox, eventType)}`.as("event_type"),
      code: sql<string | null>`NULL::text`.as("code"),
      error: shortened(textOf(outbox, lastError), ERROR_CHARACTERS).as("error"),
      fingerprint: sql<string | null>`NULL::text`.as("fingerprint"),
      diedAt: sql<string | null>`${diedAt}`.as("died_at"),
      beganAt: sql<string | null>`${createdAt ? instantOf(outbox, createdAt) : sql`NULL::timestamptz`}`.as("began_at"),
    })
    .from(entriesOf(client, ref, reading, newestFirst(ref)) as PgTable)
    .where(dead(outbox))
    .limit(NEWEST_OF_TABLE);
  return query as unknown as Place;
}
