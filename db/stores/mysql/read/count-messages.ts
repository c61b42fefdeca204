import { and, eq, gt, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { MySqlTable } from "drizzle-orm/mysql-core";
import type { CountFigure, StateCounts } from "#db/stores/port/outbox-figures.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { COUNT_CAP } from "#db/stores/shared/read/count-cap.ts";
import { add, exact, pendingOf, sum } from "#db/stores/shared/read/count-figure.ts";
import { asRecorded, withRecorded } from "#db/stores/shared/read/recorded-counts.ts";
import { nativeInFlight } from "#db/stores/shared/states/claim-predicates.ts";
import { all, isNotTrue, NEVER, not } from "#db/stores/shared/states/conditions.ts";
import { dead, expired, published, tellsFailures, unknown, unsent } from "#db/stores/shared/states/state-predicates.ts";
import { MESSAGE_STATES } from "#domain/message/message-state.ts";
import type { Session } from "../connection/session.ts";
import { isSmall, readingOf, sizeOf } from "../plans/table-access.ts";
import { asNumber } from "../tables/column-values.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { claimed, digestOf, hasFailed, isClaimed, selectRows, stateOf } from "../tables/states/message-state.ts";
import { countParts } from "./count-parts.ts";
import { readRecordedOnly } from "./recorded-only.ts";

/** Number of messages in each state, from one snapshot, each with its precision. */
export async function countMessages(session: Session, ref: OutboxRef): Promise<StateCounts> {
  const read = (await isSmall(session, ref))
    ? withRecorded(await countWhole(session, ref), await readRecordedOnly(session, ref))
    : await countLarge(session, ref);
  const inTable = ref.mapping.lifecycle.kind === "log" ? asRecorded(read) : read;
  if (!ref.storeSide) return inTable;
  const { deadLetter, archive } = session.own;
  const movedDead = await countKept(session, deadLetter, eq(deadLetter.outbox, ref.name));
  const archived = await countKept(session, archive, eq(archive.outbox, ref.name));
  return { ...inTable, dead: sum(inTable.dead, movedDead), archived };
}

/** Published rows have no records of ours, so only the other rows are looked up there. */
async function countWhole(session: Session, ref: OutboxRef): Promise<StateCounts> {
  const sent = published(outboxTable(ref.mapping));
  const countsOf = (of: OutboxRef, where: SQL) =>
    selectRows(session, of, { state: stateOf(of), count: asNumber(sql`COUNT(*)`) })
      .where(where)
      .groupBy(sql`1`);
  const rows = await countsOf(ref, isNotTrue(sent));
  if (sent !== NEVER) rows.push(...(await countsOf({ ...ref, storeSide: false }, sent)));
  const counts = Object.fromEntries(MESSAGE_STATES.map((state) => [state, exact(0)])) as StateCounts;
  for (const { state, count } of rows) counts[state] = add(counts[state], count);
  return counts;
}

/**
 * Counts unpublished rows by the indexes that hold them; `published` is the rest of the estimated rows. Each message
 * counts once, in the precedence of `stateOf`.
 */
async function countLarge(session: Session, ref: OutboxRef): Promise<StateCounts> {
  const outbox = outboxTable(ref.mapping);
  const waits = unsent(outbox);
  const known = not(unknown(outbox));
  const beside = ref.storeSide ? await countKept(session, session.own.delivery, deadBeside(session, ref)) : exact(0);
  const figures = await countParts(session, ref, {
    unsent: { part: "waiting", where: waits },
    inFlight: { part: "waiting", where: all(waits, nativeInFlight(outbox)) },
    failed: { part: "failed", where: failedWhere(ref) },
    dead: { part: "dead", where: all(dead(outbox), known) },
    expired: { part: "unpublished", where: expiredAlone(ref, known) },
    unknown: { part: "unknown", where: unknown(outbox) },
  });
  const claimedNow = ref.storeSide ? await countClaimed(session, ref) : 0;
  const inFlight = add(figures.inFlight, claimedNow);
  const { attempts } = session.own.delivery;
  const failed =
    tellsFailures(ref) || !ref.storeSide ? figures.failed : await countBeside(session, ref, gt(attempts, 0));
  const others = [figures.unsent, figures.dead, figures.expired, figures.unknown];
  const byLog = ref.storeSide && ref.mapping.lifecycle.kind === "log";
  const areBounds = failed === figures.failed && failed.precision === "capped" && figures.unsent.precision === "capped";
  const waiting = areBounds ? await countUntried(session, ref) : figures.unsent;
  const taken = areBounds ? [exact(claimedNow), beside] : [inFlight, failed, beside];
  return {
    pending: byLog ? await countBeside(session, ref, eq(attempts, 0)) : pendingOf(waiting, taken),
    failed,
    in_flight: inFlight,
    dead: sum(figures.dead, beside),
    published: await countPublished(session, ref, others),
    archived: exact(0),
    expired: figures.expired,
    unknown: figures.unknown,
  };
}

/** Counts rows of a store-side table, up to the cap. Each table has an index that begins with the outbox. */
async function countKept(session: Session, table: MySqlTable, where: SQL | undefined): Promise<CountFigure> {
  return countUpToCap(session, sql`SELECT 1 FROM ${table} WHERE ${where}`);
}

/** Number of rows a query finds, up to the cap. */
async function countUpToCap(session: Session, query: SQL): Promise<CountFigure> {
  const [row] = await session.db
    .select({ count: asNumber(sql`COUNT(*)`) })
    .from(sql`(${query} LIMIT ${sql.raw(String(COUNT_CAP + 1))}) found`);
  const counted = row?.count ?? 0;
  return counted > COUNT_CAP ? { value: COUNT_CAP, precision: "capped" } : exact(counted);
}

/** Unsent rows without those that failed, in one pass: a difference of two lower bounds would be none. */
async function countUntried(session: Session, ref: OutboxRef): Promise<CountFigure> {
  const outbox = outboxTable(ref.mapping);
  const where = all(unsent(outbox), not(nativeInFlight(outbox)), not(failedWhere(ref)));
  const { untried } = await countParts(session, ref, { untried: { part: "waiting", where } });
  return untried;
}

function failedWhere(ref: OutboxRef): SQL {
  if (!tellsFailures(ref)) return NEVER;
  const outbox = outboxTable(ref.mapping);
  const failing = hasFailed({ ...ref, storeSide: false });
  return all(unsent(outbox), failing, not(isClaimed(ref, "live")), not(nativeInFlight(outbox)));
}

function expiredAlone({ mapping }: OutboxRef, known: SQL): SQL {
  const outbox = outboxTable(mapping);
  return all(expired(outbox), known, isNotTrue(dead(outbox)), isNotTrue(published(outbox)));
}

/**
 * The estimated rows minus the other states; if those are not exact, the estimated entries of an index of published
 * rows.
 */
async function countPublished(session: Session, ref: OutboxRef, others: readonly CountFigure[]): Promise<CountFigure> {
  if (published(outboxTable(ref.mapping)) === NEVER) return exact(0);
  if (others.every((figure) => figure.precision === "exact")) {
    const left = (await sizeOf(session, ref)).rows - others.reduce((sum, figure) => sum + figure.value, 0);
    return { value: Math.max(0, Math.round(left)), precision: "estimate" };
  }
  const reading = await readingOf(session, ref, "published", { use: "count" });
  if (reading.kind !== "index" || !reading.access.exact) return { value: 0, precision: "unknown" };
  return { value: reading.access.rows, precision: "estimate" };
}

async function countClaimed(session: Session, ref: OutboxRef): Promise<number> {
  const { own, db } = session;
  const claims = claimed(own, ref);
  const { delivery } = own;
  const over = sql`SELECT 1 FROM ${delivery} WHERE ${deadBeside(session, ref)} AND ${delivery.messageId} = claimed.id`;
  const [row] = await db
    .with(claims)
    .select({ count: asNumber(sql`COUNT(*)`) })
    .from(claims)
    .where(sql`live AND NOT EXISTS (${over})`);
  return row?.count ?? 0;
}

/** Messages that our records say wait, and that no relay is publishing now. */
async function countBeside(session: Session, ref: OutboxRef, which: SQL): Promise<CountFigure> {
  const { own, db } = session;
  const { delivery } = own;
  const alive = and(eq(delivery.outbox, ref.name), isNull(delivery.deadAt), which);
  const claims = claimed(own, ref);
  const waits = sql`SELECT 1 FROM ${delivery} WHERE ${alive} AND ${digestOf(sql`${delivery.messageId}`)} NOT IN (SELECT digest FROM claimed WHERE live)`;
  const [row] = await db
    .with(claims)
    .select({ count: asNumber(sql`COUNT(*)`) })
    .from(sql`(${waits} LIMIT ${sql.raw(String(COUNT_CAP + 1))}) found`);
  const counted = row?.count ?? 0;
  return counted > COUNT_CAP ? { value: COUNT_CAP, precision: "capped" } : exact(counted);
}

function deadBeside({ own }: Session, { name }: OutboxRef): SQL | undefined {
  return and(eq(own.delivery.outbox, name), isNotNull(own.delivery.deadAt));
}
