import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { withIndexesOnly } from "../plans/find-access.ts";
import { recommendedIndexes } from "../plans/recommended-indexes.ts";
import { partBases, type Reading, readingOf, type TablePart } from "../plans/table-access.ts";
import {
  columnSql,
  failedPredicate,
  instantText,
  messageIdExpression,
  nativeDeadPredicate,
  orderColumn,
  quoteTable,
} from "../tables/mapping-sql.ts";

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

/** How many failed, dead in their table, and moved messages are grouped at most, the newest of each. */
export const FAILURES_READ = 10_000;

/** What was grouped. `complete`: there are no others. */
export interface FailureRead<Group> {
  groups: Group[];
  read: number;
  complete: boolean;
  /** SQL of the index that is missing, where one is. */
  index: string | null;
}

/** Failed and dead messages by fingerprint, largest first; at most 100 groups. Reads the newest of the store side alone. */
export async function listFailureGroups(client: PoolClient, ref: OutboxRef): Promise<FailureRead<FailureGroupRow>> {
  if (!ref.storeSide) return { groups: [], read: 0, complete: true, index: null };
  const result = await client.query<FailureGroupRow & { read: number; most: number }>(
    `WITH failures AS (
       (SELECT 1 AS place, fingerprint, last_error_code AS code, last_error AS text, event_type, aggregate_key AS aggregate, first_failed_at AS first_at, last_failed_at AS last_at, message_id, dead_at IS NOT NULL AS dead
        FROM outbox_console.delivery WHERE outbox = $1 AND fingerprint IS NOT NULL LIMIT ${FAILURES_READ})
       UNION ALL
       (SELECT 2, fingerprint, last_error_code, last_error, event_type, coalesce(aggregate_type || '/', '') || aggregate_id, first_failed_at, last_failed_at, message_id, true
        FROM outbox_console.dead_letter WHERE outbox = $1 AND fingerprint IS NOT NULL ORDER BY dead_at DESC LIMIT ${FAILURES_READ}))
     SELECT fingerprint, max(code) AS code, (array_agg(text ORDER BY last_at DESC NULLS LAST))[1] AS text, array_agg(DISTINCT coalesce(event_type, '')) AS "eventTypes",
       count(*)::int AS messages, count(*) FILTER (WHERE NOT dead)::int AS failed, count(*) FILTER (WHERE dead)::int AS dead,
       count(DISTINCT aggregate)::int AS aggregates, ${instantText("min(first_at)")} AS "firstSeenAt", ${instantText("max(last_at)")} AS "lastSeenAt",
       (array_agg(message_id ORDER BY last_at DESC NULLS LAST))[1] AS "sampleId", (SELECT count(*)::int FROM failures) AS read,
       (SELECT max(n)::int FROM (SELECT count(*) AS n FROM failures GROUP BY place) places) AS most
     FROM failures GROUP BY fingerprint ORDER BY messages DESC, fingerprint LIMIT 100`,
    [ref.name],
  );
  const { read = 0, most = 0 } = result.rows[0] ?? {};
  const groups = result.rows.map(({ read: _, most: __, ...group }) => group);
  return { groups, read, complete: most < FAILURES_READ, index: null };
}

export interface NativeFailure {
  id: string;
  eventType: string | null;
  aggregateId: string | null;
  lastError: string | null;
  dead: boolean;
}

/** The newest failed and dead rows of a table that keeps its own error text, for grouping by the caller. */
export async function listNativeFailures(client: PoolClient, ref: OutboxRef): Promise<FailureRead<NativeFailure>> {
  const read: FailureRead<NativeFailure> = { groups: [], read: 0, complete: true, index: null };
  if (!ref.mapping.columns.lastError) return read;
  const isDead = nativeDeadPredicate(ref.mapping, "t");
  const hasFailed = failedPredicate(ref.mapping, "t") ?? "false";
  const passes = new Map<string, { reading: Reading; wanted: string[]; part: TablePart }>();
  for (const { part, where } of [
    { part: "dead" as const, where: isDead },
    { part: "failed" as const, where: hasFailed },
  ]) {
    if (where === "false") continue;
    const reading = await readingOf(client, ref, part);
    // Both may be in one wider index, which is then read once.
    const key = reading.kind === "index" ? reading.access.predicate : reading.kind;
    const wanted = [...(passes.get(key)?.wanted ?? []), where];
    passes.set(key, { reading, wanted, part });
  }
  for (const { reading, wanted, part } of passes.values()) {
    if (reading.kind === "none") {
      const missing = recommendedIndexes(ref.mapping, ref.partitioned ?? false).find(({ use }) => use === part);
      Object.assign(read, { complete: false, index: missing?.sql ?? null });
      continue;
    }
    const rows = await readFailures(client, ref, { reading, isDead, wanted: wanted.join(" OR "), part });
    read.read += rows.length;
    read.complete &&= rows.length < FAILURES_READ;
    for (const { wanted: isWanted, ...row } of rows) if (isWanted) read.groups.push(row);
  }
  return read;
}

/** Rows with few columns: what is sent and decoded costs more than what is read. */
async function readFailures(
  client: PoolClient,
  ref: OutboxRef,
  { reading, isDead, wanted, part }: { reading: Reading; isDead: string; wanted: string; part: TablePart },
): Promise<(NativeFailure & { wanted: boolean })[]> {
  const { columns } = ref.mapping;
  const text = (role: "eventType" | "aggregateId" | "lastError") =>
    columns[role] ? `${columnSql(columns[role], "t")}::text` : "NULL::text";
  const predicate = reading.kind === "index" ? reading.access.predicate : (partBases(ref, part).at(-1) ?? "true");
  const ordered = reading.kind === "whole" || (reading.kind === "index" && reading.access.ordered);
  const order = ordered ? `ORDER BY ${columnSql(orderColumn(ref.mapping), "t")} DESC` : "";
  const sql = `SELECT ${messageIdExpression(ref.mapping, "t")} AS id, ${text("eventType")} AS "eventType", ${text("aggregateId")} AS "aggregateId",
      left(${text("lastError")}, 500) AS "lastError", (${isDead}) IS TRUE AS dead, (${wanted}) IS TRUE AS wanted
    FROM (SELECT t.* FROM ${quoteTable(ref.mapping.table)} t WHERE ${predicate} ${order} LIMIT ${FAILURES_READ}) t`;
  const query = async () => (await client.query<NativeFailure & { wanted: boolean }>(sql)).rows;
  return reading.kind === "index" ? withIndexesOnly(client, query) : query();
}
