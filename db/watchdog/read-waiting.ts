import type { PoolClient } from "pg";
import type { WaitingFacts } from "#domain/diagnosis/facts.ts";
import type { OutboxRef } from "../outbox/outbox-ref.ts";
import {
  aggregateKeyExpression,
  columnSql,
  instantExpression,
  instantText,
  orderColumn,
  quoteTable,
  unsentPredicate,
} from "../outbox/postgres/mapping-sql.ts";
import { claimsCte, dueSinceExpression, fromTable } from "../outbox/postgres/message-sql.ts";

/** Rows that one look reads at most; beyond, the unsent are merely counted, as the snapshot does. */
const WAITING_CAP = 10_000;
const UNSENT_CAP = 50_000;

interface WaitingRow {
  due: number;
  overdue: number;
  overdueAggregates: number;
  oldestDueAt: string | null;
}

/**
 * The oldest due messages, in order, without those behind a failed head (which have a finding of their own) and without
 * those that wait for their next attempt. Expects the partial index over unpublished rows in order.
 */
export async function readWaiting(client: PoolClient, ref: OutboxRef, overdueSeconds: number): Promise<WaitingFacts> {
  const { rows } = await client.query<WaitingRow>(
    `WITH ${claimsCte(ref)}, ${blockedCte(ref)}, found AS (
       SELECT ${dueSinceExpression(ref.mapping)} AS since, ${aggregateKeyExpression(ref.mapping, "t")} AS aggregate
       FROM ${fromTable(ref)}
       WHERE ${unsentPredicate(ref.mapping, "t")} AND ${duePredicate(ref)}
         AND coalesce(${aggregateKeyExpression(ref.mapping, "t")} NOT IN (SELECT aggregate FROM blocked), true)
       ORDER BY ${columnSql(orderColumn(ref.mapping), "t")} LIMIT ${WAITING_CAP + 1})
     SELECT count(*)::int AS due, count(*) FILTER (WHERE late)::int AS overdue,
       count(DISTINCT aggregate) FILTER (WHERE late)::int AS "overdueAggregates", ${instantText("min(since)")} AS "oldestDueAt"
     FROM (SELECT *, since < clock_timestamp() - make_interval(secs => $2) AS late FROM found) judged`,
    [ref.name, overdueSeconds],
  );
  const row = rows[0] ?? { due: 0, overdue: 0, overdueAggregates: 0, oldestDueAt: null };
  if (row.due <= WAITING_CAP) return { ...row, capped: false };
  const unsent = await countUnsent(client, ref);
  return {
    ...row,
    due: unsent,
    overdue: row.overdue > WAITING_CAP ? unsent : row.overdue,
    capped: unsent >= UNSENT_CAP,
  };
}

/** With a backlog as large as that, the few that are not due do not matter; an index alone answers. */
async function countUnsent(client: PoolClient, ref: OutboxRef): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (
       SELECT 1 FROM ${quoteTable(ref.mapping.table)} t WHERE ${unsentPredicate(ref.mapping, "t")} LIMIT ${UNSENT_CAP}) found`,
  );
  return rows[0]?.count ?? 0;
}

function blockedCte(ref: OutboxRef): string {
  if (!ref.storeSide) return "blocked AS (SELECT NULL::text AS aggregate WHERE false)";
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
