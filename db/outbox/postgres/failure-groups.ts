import type { PoolClient } from "pg";
import type { OutboxRef } from "../outbox-ref.ts";
import { instantText, notPublishedPredicate } from "./mapping-sql.ts";
import { claimsCte, fromTable, hasFailedPredicate, tableRowColumns } from "./message-sql.ts";
import { wouldScan } from "./query-cost.ts";

export interface FailureGroupRow {
  fingerprint: string;
  code: string | null;
  text: string | null;
  eventTypes: string[];
  messages: number;
  failed: number;
  dead: number;
  aggregates: number;
  firstSeenAt: string | null;
  lastSeenAt: string | null;
  sampleId: string;
}

/** Failed and dead messages by fingerprint, largest first; at most 100 groups. Reads the store side alone. */
export async function listFailureGroups(client: PoolClient, ref: OutboxRef): Promise<FailureGroupRow[]> {
  if (!ref.storeSide) return [];
  const result = await client.query<FailureGroupRow>(
    `SELECT fingerprint, max(code) AS code, (array_agg(text ORDER BY last_at DESC NULLS LAST))[1] AS text, array_agg(DISTINCT coalesce(event_type, '')) AS "eventTypes",
       count(*)::int AS messages, count(*) FILTER (WHERE NOT dead)::int AS failed, count(*) FILTER (WHERE dead)::int AS dead,
       count(DISTINCT aggregate)::int AS aggregates, ${instantText("min(first_at)")} AS "firstSeenAt", ${instantText("max(last_at)")} AS "lastSeenAt",
       (array_agg(message_id ORDER BY last_at DESC NULLS LAST))[1] AS "sampleId"
     FROM (
       SELECT fingerprint, last_error_code AS code, last_error AS text, event_type, aggregate_key AS aggregate, first_failed_at AS first_at, last_failed_at AS last_at, message_id, dead_at IS NOT NULL AS dead
       FROM outbox_console.delivery WHERE outbox = $1 AND fingerprint IS NOT NULL
       UNION ALL
       SELECT fingerprint, last_error_code, last_error, event_type, coalesce(aggregate_type || '/', '') || aggregate_id, first_failed_at, last_failed_at, message_id, true
       FROM outbox_console.dead_letter WHERE outbox = $1 AND fingerprint IS NOT NULL) failures
     GROUP BY fingerprint ORDER BY messages DESC, fingerprint LIMIT 100`,
    [ref.name],
  );
  return result.rows;
}

export interface NativeFailure {
  id: string;
  eventType: string | null;
  aggregateId: string | null;
  lastError: string | null;
  state: string;
  createdAt: string | null;
}

/** How many failed rows of a table that keeps its own errors are grouped. */
export const NATIVE_FAILURES_READ = 5000;

/** Failed and dead rows of a table that keeps its own error text, for grouping by the caller; null where that would scan. */
export async function listNativeFailures(client: PoolClient, ref: OutboxRef): Promise<NativeFailure[] | null> {
  const { lastError } = ref.mapping.columns;
  if (!lastError) return [];
  const sql = `WITH ${claimsCte(ref)} SELECT ${tableRowColumns(ref)} FROM ${fromTable(ref)}
    WHERE ${notPublishedPredicate(ref.mapping, "t")} AND ${hasFailedPredicate(ref)} LIMIT ${NATIVE_FAILURES_READ}`;
  if (await wouldScan(client, sql, [ref.name])) return null;
  return (await client.query<NativeFailure>({ text: sql, values: [ref.name] })).rows;
}
