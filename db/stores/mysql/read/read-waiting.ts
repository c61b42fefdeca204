import { and, eq, gt, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Waiting } from "#db/stores/port/outbox-figures.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { COUNT_CAP } from "#db/stores/shared/read/count-cap.ts";
import { ALWAYS, all, NEVER } from "#db/stores/shared/states/conditions.ts";
import { tellsDead, unsent } from "#db/stores/shared/states/state-predicates.ts";
import type { Session } from "../connection/session.ts";
import { orderBy } from "../plans/find-access.ts";
import { deliveryOrder, READ_BUDGET, type Reading, readingOf } from "../plans/table-access.ts";
import { ageSeconds, asNumber, exact, instantOf, instantText, NOW, realInstant } from "../tables/column-values.ts";
import { forced } from "../tables/mapping-sql.ts";
import { BY_AGGREGATE } from "../tables/message-columns.ts";
import { aggregateKey, messageId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { c, claimLives, claimOf, d, dueSince, scheduledFor, selectRows } from "../tables/states/message-state.ts";
import { countParts } from "./count-parts.ts";
import { entriesOf, entryOrder, moreThan } from "./read-entries.ts";
import { recordedBlocked, recordedOldest } from "./recorded-waiting.ts";

/** Number of first waiting messages searched for the oldest; order and age may differ slightly. */
const OLDEST_WINDOW = 200;
/** Entries that are searched for them first. */
const FIRST_BUDGET = 1000;

const NOTHING_BLOCKED: Waiting["blocked"] = { messages: 0, capped: false, aggregates: 0, oldestAgeSeconds: null };

/**
 * Ages of waiting messages and the reasons for waiting. The oldest is taken over due messages, in flight included: one
 * stuck in a claim waits too.
 */
export async function readWaiting(session: Session, ref: OutboxRef): Promise<Waiting> {
  const scheduledAt = scheduledFor(ref.mapping);
  const waits = unsent(outboxTable(ref.mapping));
  const reading = await readingOf(session, ref, "waiting");
  const byLog = ref.storeSide && isByLog(ref);
  const row = reading.kind === "none" || byLog ? undefined : await readOldest(session, ref, reading);
  const { scheduled } = await countParts(session, ref, {
    scheduled: { part: "waiting", where: scheduledAt ? all(waits, sql`${scheduledAt} > ${NOW}`) : NEVER },
  });
  return {
    oldest: byLog
      ? await recordedOldest(session, ref)
      : row && row.ageSeconds !== null && row.dueAt !== null
        ? { id: row.id, ageSeconds: Math.max(0, row.ageSeconds), dueAt: row.dueAt }
        : null,
    // Without a creation time waiting messages have no age. By log, a row without a record may wait or be published.
    oldestKnown: !isByLog(ref) && row?.ageSeconds !== null && (await isOldest(session, ref, reading, row)),
    scheduled,
    ...(ref.storeSide
      ? await readBeside(session, ref, reading)
      : { nextRetryInSeconds: null, blocked: NOTHING_BLOCKED, deadLast24h: null, oldestClaimSeconds: null }),
    asOf: await databaseClock(session),
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
 * Index: that of waiting rows, in their order. Of an index that also holds other rows, the newest entries up to the
 * budget are read, because dead rows are older; the true oldest is then at least as old as the result.
 */
async function readOldest(session: Session, ref: OutboxRef, reading: Reading): Promise<OldestRow | undefined> {
  const inOrder = reading.kind === "index" && reading.access.exact && reading.access.ordered;
  if (inOrder) {
    const { oldest, seen } = await oldestAmong(session, ref, reading, FIRST_BUDGET);
    if (seen >= OLDEST_WINDOW) return oldest;
  }
  return (await oldestAmong(session, ref, reading, READ_BUDGET)).oldest;
}

/** The oldest of the first due messages among so many entries, and how many of those there are. */
async function oldestAmong(
  session: Session,
  ref: OutboxRef,
  reading: Reading,
  budget: number,
): Promise<{ oldest: OldestRow | undefined; seen: number }> {
  const outbox = outboxTable(ref.mapping);
  const since = dueSince(ref);
  const scheduledAt = scheduledFor(ref.mapping);
  const order = deliveryOrder(ref);
  const fields = { id: messageId(outbox).as("id"), since: sql`${realInstant(since)}`.as("since") };
  const first = selectRows(session, ref, fields, entriesOf(ref, reading, { order: entryOrder(reading, order), budget }))
    .where(
      all(
        unsent(outbox),
        ref.storeSide ? sql`${d.deadAt} IS NULL` : ALWAYS,
        scheduledAt ? sql`coalesce(${scheduledAt} <= ${NOW}, true)` : ALWAYS,
      ),
    )
    .orderBy(orderBy(outbox, order))
    .limit(OLDEST_WINDOW);
  const [row] = await session.db
    .select({
      id: sql<string>`id`,
      ageSeconds: ageSeconds(sql`since`),
      dueAt: instantText(sql`since`),
      seen: asNumber(sql`COUNT(*) OVER ()`),
    })
    .from(sql`(${first.getSQL()}) window_`)
    // Rows without an age come last.
    .orderBy(sql`since IS NULL`, sql`since`)
    .limit(1);
  if (!row) return { oldest: undefined, seen: 0 };
  const { seen, ...oldest } = row;
  return { oldest, seen };
}

/** True if the row found is the oldest: the entries are in order, or all of them were read. */
async function isOldest(
  session: Session,
  ref: OutboxRef,
  reading: Reading,
  row: OldestRow | undefined,
): Promise<boolean> {
  if (reading.kind !== "index") return reading.kind === "whole";
  const { exact: alone, ordered } = reading.access;
  return (row !== undefined && alone && ordered) || !(await isLonger(session, ref, reading));
}

/** True if there are more entries than the budget. */
async function isLonger(session: Session, ref: OutboxRef, reading: Reading): Promise<boolean> {
  if (reading.kind !== "index") return false;
  const [[longer] = []] = await session.rows(moreThan(ref, reading, READ_BUDGET));
  return longer === "1";
}

/** The server's time. */
export async function databaseClock(session: Session): Promise<string> {
  return (await databaseClocks(session)).asOf;
}

/**
 * `asOf`: the time of the data. `clockAt`: the server's own clock. Both are the same, because neither server reports up
 * to what time a replica has applied its source's log.
 */
export async function databaseClocks(session: Session): Promise<{ asOf: string; clockAt: string }> {
  const [[at] = []] = await session.rows(sql`SELECT ${instantText(NOW)}`);
  return { asOf: at ?? "", clockAt: at ?? "" };
}

/** Delivery rows with a next attempt: failed messages that wait for a retry. */
function waitsForRetry({ own: { delivery } }: Session, { name }: OutboxRef): SQL | undefined {
  return and(eq(delivery.outbox, name), isNull(delivery.deadAt), isNotNull(delivery.nextAttemptAt));
}

type Beside = Pick<Waiting, "nextRetryInSeconds" | "blocked" | "deadLast24h" | "oldestClaimSeconds">;

async function readBeside(session: Session, ref: OutboxRef, reading: Reading): Promise<Beside> {
  const { hasHeads, deadLast24h, ...beside } = await readHeads(session, ref);
  const read = () => (isByLog(ref) ? recordedBlocked(session, ref) : readBlocked(session, ref, reading));
  const blocked = hasHeads ? await read() : NOTHING_BLOCKED;
  // The result is a plain number and cannot express "at least".
  const isCounted = deadLast24h <= COUNT_CAP && !tellsDead(outboxTable(ref.mapping));
  return { ...beside, deadLast24h: isCounted ? deadLast24h : null, blocked };
}

/** Left to itself, the server reads all rows of an outbox by the primary key once they are many. */
const BY_DUE_TIME = sql.raw(forced("delivery_due_idx"));
const BY_DEATH = { delivery: BY_DUE_TIME, deadLetter: sql.raw(forced("dead_letter_time_idx")) };

/** Waiting retries, deaths of the last 24 h and the age of the oldest live claim, in one statement. */
async function readHeads(session: Session, ref: OutboxRef) {
  const { own } = session;
  const { delivery } = own;
  const { name } = ref;
  const waits = waitsForRetry(session, ref);
  const until = sql`TIMESTAMPDIFF(MICROSECOND, ${NOW}, ${delivery.nextAttemptAt}) * 1e-6`;
  const died = (["deadLetter", "delivery"] as const).map((place) => {
    const inTime = and(eq(own[place].outbox, name), gt(own[place].deadAt, sql`${NOW} - INTERVAL 24 HOUR`));
    return sql`(SELECT 1 AS one FROM ${own[place]}${BY_DEATH[place]} WHERE ${inTime} LIMIT ${sql.raw(String(COUNT_CAP + 1))})`;
  });
  const [row = []] = await session.rows(
    sql`SELECT (SELECT GREATEST(0, ${until}) FROM ${delivery}${BY_DUE_TIME} WHERE ${waits} ORDER BY ${delivery.nextAttemptAt} LIMIT 1),
      (SELECT COUNT(*) FROM (${sql.join(died, sql` UNION ALL `)}) died),
      EXISTS (SELECT 1 FROM ${delivery}${BY_DUE_TIME} WHERE ${waits} AND ${delivery.attempts} > 0 AND ${delivery.aggregateKey} IS NOT NULL),
      (SELECT ${ageSeconds(sql`MIN(${c.startedAt})`)} FROM ${own.claim} ${claimOf(own)} WHERE ${eq(c.outbox, name)} AND ${claimLives(own)})`,
  );
  const [nextRetry, deadLast24h, hasHeads, oldestClaim] = row.map((value) => (value === null ? null : Number(value)));
  return {
    nextRetryInSeconds: nextRetry ?? null,
    deadLast24h: deadLast24h ?? 0,
    hasHeads: hasHeads === 1,
    oldestClaimSeconds: oldestClaim ?? null,
  };
}

/** Messages that wait behind a failed head of their aggregate, among the entries read. */
async function readBlocked(session: Session, ref: OutboxRef, reading: Reading): Promise<Waiting["blocked"]> {
  const { db, own } = session;
  const { delivery } = own;
  const { createdAt, aggregateId } = ref.mapping.columns;
  if (!aggregateId || reading.kind === "none") return { ...NOTHING_BLOCKED, capped: reading.kind === "none" };
  const outbox = outboxTable(ref.mapping);
  const waits = db.$with("waits").as(
    db
      .select({
        id: exact(messageId(outbox)).as("id"),
        aggregate: exact(aggregateKey(outbox)).as("aggregate"),
        created: sql`${createdAt ? instantOf(outbox, createdAt) : sql`CAST(NULL AS DATETIME(6))`}`.as("created"),
      })
      .from(entriesOf(ref, reading))
      .where(unsent(outbox))
      .limit(COUNT_CAP + 1),
  );
  const heads = sql`SELECT 1 FROM ${delivery}${BY_AGGREGATE} WHERE ${waitsForRetry(session, ref)} AND ${delivery.attempts} > 0
    AND ${delivery.aggregateKey} = waits.aggregate`;
  const known = sql`SELECT 1 FROM ${delivery} WHERE ${eq(delivery.outbox, ref.name)} AND ${delivery.messageId} = waits.id`;
  const [row] = await db
    .with(waits)
    .select({
      messages: asNumber(sql`COUNT(*)`),
      aggregates: asNumber(sql`COUNT(DISTINCT aggregate)`),
      seen: asNumber(sql`(SELECT COUNT(*) FROM waits)`),
      oldest: ageSeconds(sql`MIN(created)`),
    })
    .from(waits)
    .where(sql`EXISTS (${heads}) AND NOT EXISTS (${known})`);
  return {
    messages: row?.messages ?? 0,
    capped: (row?.seen ?? 0) > COUNT_CAP || (await isLonger(session, ref, reading)),
    aggregates: row?.aggregates ?? 0,
    oldestAgeSeconds: row?.oldest ?? null,
  };
}
