import { and, eq, gt, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { type PgTable, unionAll } from "drizzle-orm/pg-core";
import type { PoolClient } from "pg";
import type { OutboxFigures, Waiting } from "#db/stores/port/outbox-figures.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { JUDGING_CLOCK } from "#db/stores/postgres/tables/judging-clock.ts";
import { COUNT_CAP } from "#db/stores/shared/read/count-cap.ts";
import { ALWAYS, all, NEVER } from "#db/stores/shared/states/conditions.ts";
import { tellsDead, unsent } from "#db/stores/shared/states/state-predicates.ts";
import { queryOn } from "../connection/query-on.ts";
import { deadLetter, delivery } from "../own-schema/schema.ts";
import { deliveryOrder, READ_BUDGET, type Reading, readingOf } from "../plans/table-access.ts";
import { ageOf, greatestAge, instantOf, instantText } from "../tables/column-values.ts";
import { aggregateKey, messageId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { c, claimLives, d, dueSince, scheduledFor, selectRows } from "../tables/states/message-state.ts";
import { type CountedEntries, countParts } from "./count-parts.ts";
import { entriesOf, entryOrder, readGuarded } from "./read-entries.ts";
import { recordedBlocked, recordedOldest } from "./recorded-waiting.ts";

/** Number of first waiting messages searched for the oldest; order and age may differ slightly. */
const OLDEST_WINDOW = 200;

/**
 * Ages of waiting messages and the reasons for waiting. The oldest is taken over due messages, in flight included: one
 * stuck in a claim waits too.
 */
export async function readWaiting(client: PoolClient, ref: OutboxRef, counted?: CountedEntries): Promise<Waiting> {
  const scheduledAt = scheduledFor(ref.mapping);
  const waits = unsent(outboxTable(ref.mapping));
  const reading = await readingOf(client, ref, "waiting");
  const byLog = ref.storeSide && isByLog(ref);
  const row = reading.kind === "none" || byLog ? undefined : await readOldest(client, ref, reading);
  const where = scheduledAt ? all(waits, sql`${scheduledAt} > clock_timestamp()`) : NEVER;
  const { scheduled } = await countParts(client, ref, { scheduled: { part: "waiting", where } }, counted);
  return {
    oldest: byLog
      ? await recordedOldest(client, ref)
      : row && row.ageSeconds !== null && row.dueAt !== null
        ? { id: row.id, ageSeconds: Math.max(0, row.ageSeconds), dueAt: row.dueAt }
        : null,
    // Without a creation time waiting messages have no age. By log, a row without a record may wait or be published.
    oldestKnown: !isByLog(ref) && row?.ageSeconds !== null && (await isOldest(client, ref, reading, row)),
    scheduled,
    ...(ref.storeSide
      ? await readBeside(client, ref, reading)
      : {
          nextRetryInSeconds: null,
          blocked: { messages: 0, capped: false, aggregates: 0, oldestAgeSeconds: null },
          deadLast24h: null,
          oldestClaimSeconds: null,
        }),
    asOf: await databaseClock(client),
  };
}

/** The table's progress is kept in the log. */
function isByLog({ mapping }: OutboxRef): boolean {
  return mapping.lifecycle.kind === "log";
}

interface OldestRow {
  id: string;
  ageSeconds: number | null;
  dueAt: string | null;
}

/**
 * Index: the partial one of waiting rows, in their order. Of an index that also holds other rows, the newest entries up
 * to the budget are read, because dead rows are older; the true oldest is then at least as old as the result.
 */
async function readOldest(client: PoolClient, ref: OutboxRef, reading: Reading): Promise<OldestRow | undefined> {
  const db = queryOn(client);
  const since = dueSince(ref);
  const scheduledAt = scheduledFor(ref.mapping);
  const order = deliveryOrder(ref);
  const fields = {
    id: messageId(outboxTable(ref.mapping)).as("id"),
    ageSeconds: ageOf(since).as("age_seconds"),
    dueAt: instantText(since).as("due_at"),
  };
  const entries = entriesOf(client, ref, reading, entryOrder(reading, order));
  const oldest = selectRows(db, ref, fields, entries)
    .where(
      all(
        unsent(outboxTable(ref.mapping)),
        ref.storeSide ? sql`${d.deadAt} IS NULL` : ALWAYS,
        scheduledAt ? sql`coalesce(${scheduledAt} <= clock_timestamp(), true)` : ALWAYS,
      ),
    )
    .orderBy(...order)
    .limit(OLDEST_WINDOW)
    .as("window_");
  const query = db.select().from(oldest).orderBy(sql`age_seconds DESC NULLS LAST`).limit(1);
  const [row] = await readGuarded(client, reading, () => query);
  return row;
}

/** True if the row found is the oldest: the entries are in order, or all of them were read. */
async function isOldest(
  client: PoolClient,
  ref: OutboxRef,
  reading: Reading,
  row: OldestRow | undefined,
): Promise<boolean> {
  if (reading.kind !== "index") return reading.kind === "whole";
  const { exact, ordered } = reading.access;
  return (row !== undefined && exact && ordered) || !(await isLonger(client, ref, reading));
}

/** True if there are more entries than the budget. */
async function isLonger(client: PoolClient, ref: OutboxRef, reading: Reading): Promise<boolean> {
  if (reading.kind !== "index") return false;
  const { rows } = outboxTable(ref.mapping);
  const query = queryOn(client)
    .select({ one: sql`1` })
    .from(rows)
    .where(reading.access.predicate)
    .offset(READ_BUDGET)
    .limit(1);
  return (await readGuarded(client, reading, () => query)).length > 0;
}

/** The database's time; on a replica that of the last replayed transaction, which its data reflects. */
export async function databaseClock(client: PoolClient): Promise<string> {
  return (await databaseClocks(client)).asOf;
}

type DatabaseClocks = Pick<OutboxFigures, "asOf" | "clockAt" | "judgedAt" | "standsStill">;

/** `asOf`: as databaseClock. Every user may see that there is a receiver, if nothing more of it. */
export async function databaseClocks(client: PoolClient): Promise<DatabaseClocks> {
  const replayed = sql`CASE WHEN pg_is_in_recovery() THEN coalesce(pg_last_xact_replay_timestamp(), at) ELSE at END`;
  const standsStill = sql`CASE WHEN NOT pg_is_in_recovery() THEN false
    WHEN NOT EXISTS (SELECT FROM pg_stat_wal_receiver) THEN true ELSE pg_is_wal_replay_paused() END`;
  const { rows } = await queryOn(client).execute<DatabaseClocks>(
    sql`SELECT ${instantText(replayed)} AS "asOf", ${instantText(sql`at`)} AS "clockAt",
      ${instantText(sql.raw(JUDGING_CLOCK))} AS "judgedAt", ${standsStill} AS "standsStill"
      FROM (SELECT clock_timestamp() AS at OFFSET 0) clock`,
  );
  return rows[0] ?? { asOf: "", clockAt: "", judgedAt: "", standsStill: false };
}

/** Delivery rows with a next attempt: failed messages that wait for a retry. */
function waitsForRetry({ name }: OutboxRef): SQL | undefined {
  return and(eq(delivery.outbox, name), isNull(delivery.deadAt), isNotNull(delivery.nextAttemptAt));
}

async function readBeside(
  client: PoolClient,
  ref: OutboxRef,
  reading: Reading,
): Promise<Pick<Waiting, "nextRetryInSeconds" | "blocked" | "deadLast24h" | "oldestClaimSeconds">> {
  const { hasHeads, deadLast24h, ...beside } = await readHeads(client, ref);
  const blocked = hasHeads
    ? await (isByLog(ref) ? recordedBlocked(client, ref) : readBlocked(client, ref, reading))
    : { messages: 0, capped: false, aggregates: 0, oldestAgeSeconds: null };
  // The result is a plain number and cannot express "at least".
  const isCounted = deadLast24h <= COUNT_CAP && !tellsDead(outboxTable(ref.mapping));
  return { ...beside, deadLast24h: isCounted ? deadLast24h : null, blocked };
}

/** Waiting retries, deaths of the last 24 h and the age of the oldest live claim, in one statement. */
async function readHeads(client: PoolClient, ref: OutboxRef) {
  const db = queryOn(client);
  const { name } = ref;
  const dayAgo = sql`clock_timestamp() - interval '24 hours'`;
  const nextRetry = db
    .select({
      seconds: sql`greatest(0, extract(epoch FROM min(${delivery.nextAttemptAt}) - clock_timestamp()))::float8`,
    })
    .from(delivery)
    .where(waitsForRetry(ref));
  const diedIn = (table: typeof deadLetter | typeof delivery) =>
    db
      .select({ one: sql`1`.as("one") })
      .from(table as typeof delivery)
      .where(and(eq(table.outbox, name), gt(table.deadAt, dayAgo)))
      .limit(COUNT_CAP + 1);
  const died = db.select({ count: sql`count(*)::int` }).from(unionAll(diedIn(deadLetter), diedIn(delivery)).as("died"));
  const heads = db
    .select({ one: sql`1` })
    .from(delivery)
    .where(and(waitsForRetry(ref), gt(delivery.attempts, 0), isNotNull(delivery.aggregateKey)));
  const oldestClaim = db
    .select({ seconds: sql`extract(epoch FROM clock_timestamp() - min(${c.startedAt}))::float8` })
    .from(c)
    .where(and(eq(c.outbox, name), claimLives()));
  const { rows } = await db.execute<{
    nextRetryInSeconds: number | null;
    deadLast24h: number;
    hasHeads: boolean;
    oldestClaimSeconds: number | null;
  }>(
    sql`SELECT ${nextRetry} AS "nextRetryInSeconds", ${died} AS "deadLast24h", EXISTS ${heads} AS "hasHeads", ${oldestClaim} AS "oldestClaimSeconds"`,
  );
  return rows[0] ?? { nextRetryInSeconds: null, deadLast24h: 0, hasHeads: false, oldestClaimSeconds: null };
}

/** Messages that wait behind a failed head of their aggregate, among the entries read. */
async function readBlocked(client: PoolClient, ref: OutboxRef, reading: Reading): Promise<Waiting["blocked"]> {
  const db = queryOn(client);
  const { createdAt, aggregateId } = ref.mapping.columns;
  if (!aggregateId || reading.kind === "none")
    return { messages: 0, capped: reading.kind === "none", aggregates: 0, oldestAgeSeconds: null };
  const outbox = outboxTable(ref.mapping);
  const waits = db.$with("waits").as(
    db
      .select({
        id: messageId(outbox).as("id"),
        aggregate: sql<string | null>`${aggregateKey(outbox)}`.as("aggregate"),
        created: sql`${createdAt ? instantOf(outbox, createdAt) : sql`NULL::timestamptz`}`.as("created"),
      })
      .from(entriesOf(client, ref, reading, []) as PgTable)
      .where(unsent(outbox))
      .limit(COUNT_CAP + 1),
  );
  const heads = db
    .select({ aggregate: delivery.aggregateKey })
    .from(delivery)
    .where(and(waitsForRetry(ref), gt(delivery.attempts, 0)));
  const known = db.select({ id: delivery.messageId }).from(delivery).where(eq(delivery.outbox, ref.name));
  const query = db
    .with(waits)
    .select({
      messages: sql<number>`count(*)::int`,
      aggregates: sql<number>`count(DISTINCT aggregate)::int`,
      seen: sql<number>`(SELECT count(*)::int FROM waits)`,
      oldest: greatestAge(sql`created`),
    })
    .from(waits)
    .where(sql`aggregate IN ${heads} AND id NOT IN ${known}`);
  const [row] = await readGuarded(client, reading, () => query);
  return {
    messages: row?.messages ?? 0,
    capped: (row?.seen ?? 0) > COUNT_CAP || (await isLonger(client, ref, reading)),
    aggregates: row?.aggregates ?? 0,
    oldestAgeSeconds: row?.oldest ?? null,
  };
}
