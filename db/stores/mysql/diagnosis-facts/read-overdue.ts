import { type SQL, sql } from "drizzle-orm";
import type { MySqlTable } from "drizzle-orm/mysql-core";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ScanRefused } from "#db/stores/port/scan-refused.ts";
import { ALWAYS, all, isTrue } from "#db/stores/shared/states/conditions.ts";
import { unsent } from "#db/stores/shared/states/state-predicates.ts";
import type { WaitingFacts } from "#domain/diagnosis/facts/messages.ts";
import type { Session } from "../connection/session.ts";
import { deliveryOrder, READ_BUDGET } from "../plans/table-access.ts";
import { entriesOf, entryOrder } from "../read/read-entries.ts";
import { asNumber, deadlineOf, exact, instantText, NOW } from "../tables/column-values.ts";
import { aggregateKey } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { d, dueSince, selectRows } from "../tables/states/message-state.ts";
import { failingHeads } from "./failing-heads.ts";
import { type BoundedReading, requirePart } from "./require-reading.ts";

/** Cap for counting unsent messages beyond the judged entries, as in the snapshot. */
const UNSENT_CAP = 50_000;

interface WaitingRow {
  looked: number;
  due: number;
  overdue: number;
  overdueAggregates: number;
  oldestDueAt: string | null;
}

/**
 * Due messages, except those behind a failed head (which has its own finding) and those waiting for a retry; of a large
 * table among 10,000 index entries. Index: that of waiting rows, in their order. Throws ScanRefused without an index,
 * or if none of the entries is due and there are more.
 */
export async function readWaiting(session: Session, ref: OutboxRef, overdueSeconds: number): Promise<WaitingFacts> {
  const reading = await requirePart(session, ref, "waiting");
  const { looked, ...row } = await judgeEntries(session, ref, reading, overdueSeconds);
  if (reading.kind === "whole" || looked < READ_BUDGET) return { ...row, capped: false };
  if (row.due === 0) throw new ScanRefused(`None of the first ${READ_BUDGET} messages is due, and there are more.`);
  if (row.due < looked || !reading.access.exact) return { ...row, capped: true };
  const waits = await countUnsent(session, ref, reading);
  return { ...row, due: waits, overdue: row.overdue === looked ? waits : row.overdue, capped: waits >= UNSENT_CAP };
}

async function judgeEntries(
  session: Session,
  ref: OutboxRef,
  reading: BoundedReading,
  overdueSeconds: number,
): Promise<WaitingRow> {
  const { db } = session;
  const fields = {
    since: sql`${dueSince(ref)}`.as("since"),
    aggregate: exact(aggregateKey(outboxTable(ref.mapping))).as("aggregate"),
    due: isTrue(all(unsent(outboxTable(ref.mapping)), isDue(ref), isUnblocked(session, ref))).as("due"),
  };
  const entries = entriesOf(ref, reading, { order: entryOrder(reading, deliveryOrder(ref)) });
  const entry = selectRows(session, ref, fields, entries).as("entry");
  const late = sql`due AND since < ${NOW} - INTERVAL ${overdueSeconds} SECOND`;
  const [row] = await db
    .select({
      looked: asNumber(sql`COUNT(*)`),
      due: asNumber(sql`COUNT(CASE WHEN due THEN 1 END)`),
      overdue: asNumber(sql`COUNT(CASE WHEN ${late} THEN 1 END)`),
      overdueAggregates: asNumber(sql`COUNT(DISTINCT CASE WHEN ${late} THEN aggregate END)`),
      oldestDueAt: instantText(sql`MIN(CASE WHEN due THEN since END)`),
    })
    .from(entry);
  return row ?? { looked: 0, due: 0, overdue: 0, overdueAggregates: 0, oldestDueAt: null };
}

/** Counts all unsent messages; in so large a backlog the few that are not due do not matter. */
async function countUnsent(session: Session, ref: OutboxRef, reading: BoundedReading): Promise<number> {
  const { db } = session;
  const found = db
    .select({ one: sql`1`.as("one") })
    .from(entriesOf(ref, reading, { budget: UNSENT_CAP }) as unknown as MySqlTable)
    .where(unsent(outboxTable(ref.mapping)))
    .limit(UNSENT_CAP)
    .as("found");
  const [row] = await db.select({ count: asNumber(sql`COUNT(*)`) }).from(found);
  return row?.count ?? 0;
}

/** Not behind a failed head of its aggregate. */
function isUnblocked(session: Session, ref: OutboxRef): SQL {
  if (!ref.storeSide) return ALWAYS;
  const key = exact(aggregateKey(outboxTable(ref.mapping)));
  return sql`COALESCE(${key} NOT IN ${failingHeads(session, ref.name)}, TRUE)`;
}

/** Not dead, not scheduled for later, not waiting for a retry. */
function isDue({ mapping, storeSide }: OutboxRef): SQL {
  const { availableAt } = mapping.columns;
  const scheduled = availableAt
    ? sql`COALESCE(${deadlineOf(outboxTable(mapping), availableAt)} <= ${NOW}, TRUE)`
    : ALWAYS;
  if (!storeSide) return scheduled;
  return all(sql`${d.deadAt} IS NULL`, sql`COALESCE(${d.nextAttemptAt} <= ${NOW}, TRUE)`, scheduled);
}
