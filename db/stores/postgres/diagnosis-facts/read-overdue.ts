import { and, eq, gt, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ScanRefused } from "#db/stores/port/scan-refused.ts";
import { ALWAYS, all } from "#db/stores/shared/states/conditions.ts";
import { unsent } from "#db/stores/shared/states/state-predicates.ts";
import type { WaitingFacts } from "#domain/diagnosis/facts/messages.ts";
import { type Database, queryOn } from "../connection/query-on.ts";
import { delivery } from "../own-schema/schema.ts";
import { deliveryOrder, READ_BUDGET } from "../plans/table-access.ts";
import { entriesOf, entryOrder, readGuarded } from "../read/read-entries.ts";
import { instantOf, instantText } from "../tables/column-values.ts";
import { aggregateKey } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { d, dueSince, selectRows } from "../tables/states/message-state.ts";
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
 * table among 10,000 index entries. Index: the partial one of waiting rows, in their order. Throws ScanRefused without
 * an index, or if none of the entries is due and there are more.
 */
export async function readWaiting(client: PoolClient, ref: OutboxRef, overdueSeconds: number): Promise<WaitingFacts> {
  const reading = await requirePart(client, ref, "waiting");
  return readGuarded(client, reading, () => judge(client, ref, reading, overdueSeconds));
}

async function judge(
  client: PoolClient,
  ref: OutboxRef,
  reading: BoundedReading,
  overdueSeconds: number,
): Promise<WaitingFacts> {
  const { looked, ...row } = await judgeEntries(client, ref, reading, overdueSeconds);
  if (reading.kind === "whole" || looked < READ_BUDGET) return { ...row, capped: false };
  if (row.due === 0) throw new ScanRefused(`None of the first ${READ_BUDGET} messages is due, and there are more.`);
  if (row.due < looked || !reading.access.exact) return { ...row, capped: true };
  const waits = await countUnsent(client, ref);
  return { ...row, due: waits, overdue: row.overdue === looked ? waits : row.overdue, capped: waits >= UNSENT_CAP };
}

async function judgeEntries(
  client: PoolClient,
  ref: OutboxRef,
  reading: BoundedReading,
  overdueSeconds: number,
): Promise<WaitingRow> {
  const db = queryOn(client);
  const fields = {
    since: sql`${dueSince(ref)}`.as("since"),
    aggregate: sql`${aggregateKey(outboxTable(ref.mapping))}`.as("aggregate"),
    due: sql`${all(unsent(outboxTable(ref.mapping)), isDue(ref), isUnblocked(db, ref))}`.as("due"),
  };
  const entries = entriesOf(client, ref, reading, entryOrder(reading, deliveryOrder(ref)));
  const entry = selectRows(db, ref, fields, entries).as("entry");
  const late = sql`since < clock_timestamp() - make_interval(secs => ${overdueSeconds})`;
  const judged = db
    .select({
      since: sql`since`.as("since"),
      aggregate: sql`aggregate`.as("aggregate"),
      due: sql`due`.as("due"),
      late: sql`due AND ${late}`.as("late"),
    })
    .from(entry)
    .as("judged");
  const query = db
    .select({
      looked: sql<number>`count(*)::int`,
      due: sql<number>`count(*) FILTER (WHERE due)::int`,
      overdue: sql<number>`count(*) FILTER (WHERE late)::int`,
      // Distinct values are sorted, even if all are null.
      overdueAggregates: ref.mapping.columns.aggregateId
        ? sql<number>`count(DISTINCT aggregate) FILTER (WHERE late)::int`
        : sql<number>`0`,
      oldestDueAt: instantText(sql`min(since) FILTER (WHERE due)`),
    })
    .from(judged);
  const [row] = await query;
  return row ?? { looked: 0, due: 0, overdue: 0, overdueAggregates: 0, oldestDueAt: null };
}

/** Counts all unsent messages by index alone; in so large a backlog the few that are not due do not matter. */
async function countUnsent(client: PoolClient, ref: OutboxRef): Promise<number> {
  const db = queryOn(client);
  const outbox = outboxTable(ref.mapping);
  const found = db
    .select({ one: sql`1`.as("one") })
    .from(outbox.rows)
    .where(unsent(outbox))
    .limit(UNSENT_CAP)
    .as("found");
  const query = db.select({ count: sql<number>`count(*)::int` }).from(found);
  const [row] = await query;
  return row?.count ?? 0;
}

/** Not behind a failed head of its aggregate. */
function isUnblocked(db: Database, ref: OutboxRef): SQL {
  if (!ref.storeSide) return ALWAYS;
  const failing = and(eq(delivery.outbox, ref.name), isNull(delivery.deadAt), gt(delivery.attempts, 0));
  const blocked = db
    .selectDistinct({ aggregate: delivery.aggregateKey })
    .from(delivery)
    .where(and(failing, isNotNull(delivery.aggregateKey)));
  return sql`coalesce(${aggregateKey(outboxTable(ref.mapping))} NOT IN ${blocked}, true)`;
}

/** Not dead, not scheduled for later, not waiting for a retry. */
function isDue({ mapping, storeSide }: OutboxRef): SQL {
  const { availableAt } = mapping.columns;
  const scheduled = availableAt
    ? sql`coalesce(${instantOf(outboxTable(mapping), availableAt)} <= clock_timestamp(), true)`
    : ALWAYS;
  if (!storeSide) return scheduled;
  return all(sql`${d.deadAt} IS NULL`, sql`coalesce(${d.nextAttemptAt} <= clock_timestamp(), true)`, scheduled);
}
