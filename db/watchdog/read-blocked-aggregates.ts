import type { PoolClient } from "pg";
import type { FailingHead } from "#domain/diagnosis/facts.ts";
import type { OutboxRef } from "../outbox/outbox-ref.ts";
import { keyFromId } from "../outbox/postgres/key-from-id.ts";
import {
  aggregateKeyExpression,
  columnSql,
  instantText,
  quoteTable,
  unsentPredicate,
} from "../outbox/postgres/mapping-sql.ts";

/** Heads looked at, longest failed first, and waiting messages counted over all of them. */
const MOST_HEADS = 200;
const WAITING_CAP = 20_000;

type Row = Omit<FailingHead, "waitingCapped" | "aggregateId">;

/**
 * Failed messages at the head of their aggregates, with how many wait behind each. Uses delivery_due_idx for the heads,
 * the primary key for their rows, and the index over the aggregate's id for those who wait.
 */
export async function readBlockedAggregates(client: PoolClient, ref: OutboxRef): Promise<FailingHead[] | null> {
  const { aggregateId } = ref.mapping.columns;
  if (!ref.storeSide || !aggregateId) return null;
  const key = aggregateKeyExpression(ref.mapping, "t");
  const { rows } = await client.query<Row>(
    `WITH head AS MATERIALIZED (
       SELECT DISTINCT ON (aggregate_key) aggregate_key, message_id, event_type, attempts, created_at, first_failed_at, next_attempt_at, last_error_code, last_error
       FROM outbox_console.delivery
       WHERE outbox = $1 AND dead_at IS NULL AND attempts > 0 AND aggregate_key IS NOT NULL
       ORDER BY aggregate_key, first_failed_at LIMIT ${MOST_HEADS}),
     waiting AS (
       SELECT aggregate, count(*)::int AS count FROM (
         SELECT ${key} AS aggregate FROM ${quoteTable(ref.mapping.table)} t
         WHERE ${unsentPredicate(ref.mapping, "t")} AND ${columnSql(aggregateId, "t")} IN (
           SELECT ${columnSql(aggregateId, "h")} FROM head JOIN ${quoteTable(ref.mapping.table)} h ON ${keyFromId(ref.mapping, "head.message_id", "h")})
         LIMIT ${WAITING_CAP}) counted
       GROUP BY aggregate)
     SELECT head.aggregate_key AS aggregate, head.message_id AS "headId", head.event_type AS "eventType", head.attempts,
       ${instantText("head.created_at")} AS "headCreatedAt", ${instantText("head.first_failed_at")} AS "firstFailedAt", ${instantText("head.next_attempt_at")} AS "nextAttemptAt",
       head.last_error_code AS "errorCode", left(head.last_error, 300) AS error, greatest(coalesce(waiting.count, 0) - 1, 0) AS waiting
     FROM head LEFT JOIN waiting ON waiting.aggregate = head.aggregate_key
     ORDER BY waiting DESC, head.first_failed_at`,
    [ref.name],
  );
  const counted = rows.reduce((sum, row) => sum + row.waiting + 1, 0);
  return rows.map((row) => ({
    ...row,
    aggregateId: ref.mapping.columns.aggregateType
      ? row.aggregate.slice(row.aggregate.indexOf("/") + 1)
      : row.aggregate,
    waitingCapped: counted >= WAITING_CAP,
  }));
}
