import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ScanRefused } from "#db/stores/port/scan-refused.ts";
import type { WaitingFacts } from "#domain/diagnosis/facts.ts";
import { READ_BUDGET } from "../plans/table-access.ts";
import { entriesOf, entryOrder, readGuarded } from "../read/read-entries.ts";
import {
  aggregateKeyExpression,
  columnSql,
  instantExpression,
  instantText,
  orderColumn,
  quoteTable,
  unsentPredicate,
} from "../tables/mapping-sql.ts";
import { dueSinceExpression, fromTable } from "../tables/message-sql.ts";
import { type BoundedReading, requirePart } from "./require-reading.ts";

/** Beyond the entries that are judged, the unsent are merely counted, as the snapshot does. */
const UNSENT_CAP = 50_000;

interface WaitingRow {
  looked: number;
  due: number;
  overdue: number;
  overdueAggregates: number;
  oldestDueAt: string | null;
}

/**
 * What is due, without what waits behind a failed head (which has a finding of its own) and without what waits for its
 * next attempt; of a large table among the first 10,000 entries of an index. Index: the partial one of what waits, in its
 * order. Throws ScanRefused where no index leads there, or where none of the entries is due and there are more.
 */
export async function readWaiting(client: PoolClient, ref: OutboxRef, overdueSeconds: number): Promise<WaitingFacts> {
  const reading = await requirePart(client, ref, "waiting");
  const { looked, ...row } = await judgeEntries(client, ref, reading, overdueSeconds);
  if (reading.kind === "whole" || looked < READ_BUDGET) return { ...row, capped: false };
  if (row.due === 0) throw new ScanRefused(`None of the first ${READ_BUDGET} messages is due, and there are more.`);
  if (row.due < looked || !reading.access.exact) return { ...row, capped: true };
  const unsent = await countUnsent(client, ref, reading);
  return { ...row, due: unsent, overdue: row.overdue === looked ? unsent : row.overdue, capped: unsent >= UNSENT_CAP };
}

async function judgeEntries(
  client: PoolClient,
  ref: OutboxRef,
  reading: BoundedReading,
  overdueSeconds: number,
): Promise<WaitingRow> {
  const { mapping } = ref;
  const aggregate = aggregateKeyExpression(mapping, "t");
  const entries = entriesOf(ref, reading, entryOrder(reading, columnSql(orderColumn(mapping), "t")));
  const sql = `WITH ${blockedCte(ref)}, entry AS (
       SELECT ${dueSinceExpression(mapping)} AS since, ${aggregate} AS aggregate,
         (${unsentPredicate(mapping, "t")}) AND ${duePredicate(ref)}
           AND coalesce(${aggregate} NOT IN (SELECT aggregate FROM blocked), true) AS due
       FROM ${fromTable(ref, entries)}),
     judged AS (SELECT *, due AND since < clock_timestamp() - make_interval(secs => $2) AS late FROM entry)
     SELECT count(*)::int AS looked, count(*) FILTER (WHERE due)::int AS due, count(*) FILTER (WHERE late)::int AS overdue,
       count(DISTINCT aggregate) FILTER (WHERE late)::int AS "overdueAggregates", ${instantText("min(since) FILTER (WHERE due)")} AS "oldestDueAt"
     FROM judged`;
  const read = async () => (await client.query<WaitingRow>(sql, [ref.name, overdueSeconds])).rows[0];
  const row = await readGuarded(client, reading, read);
  return row ?? { looked: 0, due: 0, overdue: 0, overdueAggregates: 0, oldestDueAt: null };
}

/** With a backlog as large as that, the few that are not due do not matter; an index alone answers. */
async function countUnsent(client: PoolClient, ref: OutboxRef, reading: BoundedReading): Promise<number> {
  const sql = `SELECT count(*)::int AS count FROM (
       SELECT 1 FROM ${quoteTable(ref.mapping.table)} t WHERE ${unsentPredicate(ref.mapping, "t")} LIMIT ${UNSENT_CAP}) found`;
  const read = async () => (await client.query<{ count: number }>(sql)).rows[0]?.count ?? 0;
  return readGuarded(client, reading, read);
}

function blockedCte(ref: OutboxRef): string {
  if (!ref.storeSide) return "blocked AS (SELECT NULL::text AS aggregate WHERE $1::text IS NULL)";
  return `blocked AS MATERIALIZED (SELECT DISTINCT aggregate_key AS aggregate FROM outbox_console.delivery
    WHERE outbox = $1 AND dead_at IS NULL AND attempts > 0 AND aggregate_key IS NOT NULL)`;
}

/** Not given up on, and neither scheduled for later nor waiting for its next attempt. */
function duePredicate(ref: OutboxRef): string {
  const parts: string[] = [];
  if (ref.storeSide) {
    parts.push("d.dead_at IS NULL", "coalesce(d.next_attempt_at <= clock_timestamp(), true)");
  }
  const { availableAt } = ref.mapping.columns;
  if (availableAt) parts.push(`coalesce(${instantExpression(availableAt, "t")} <= clock_timestamp(), true)`);
  return parts.length === 0 ? "true" : parts.join(" AND ");
}
