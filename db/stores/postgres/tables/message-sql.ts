import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import {
  aggregateKeyExpression,
  columnSql,
  expiredPredicate,
  instantExpression,
  instantText,
  messageIdExpression,
  nativeDeadPredicate,
  publishedPredicate,
  quoteTable,
  statusIn,
  unknownPredicate,
} from "./mapping-sql.ts";

/** A claim lives as long as its owner's term. The term has a lease row for each of its partitions. */
export function claimLivesSql(claim: string): string {
  return `EXISTS (SELECT FROM outbox_console.lease l WHERE l.outbox = ${claim}.outbox AND l.owner = ${claim}.owner AND l.epoch = ${claim}.epoch AND l.until > clock_timestamp())`;
}

/**
 * Ids in claims, live and orphaned. Parameter $1 is the outbox everywhere
 * in this folder's reads; without the store side it is there all the same, so that parameters keep their places.
 */
export function claimsCte(ref: OutboxRef): string {
  if (!ref.storeSide) return "claimed AS (SELECT NULL::text AS id, false AS live WHERE $1::text IS NULL)";
  return `claimed AS MATERIALIZED (
    SELECT unnest(c.message_ids) AS id, ${claimLivesSql("c")} AS live
    FROM outbox_console.claim c
    WHERE c.outbox = $1)`;
}

/** `FROM table t` with what is kept beside each row as `d`. `rows`: those of the table to take, as a subquery. */
export function fromTable(ref: OutboxRef, rows = quoteTable(ref.mapping.table)): string {
  const table = `${rows} t`;
  if (!ref.storeSide) return table;
  return `${table} LEFT JOIN outbox_console.delivery d ON d.outbox = $1 AND d.message_id = ${messageIdExpression(ref.mapping, "t")}`;
}

/** Attempts that failed: the table's own count where it keeps one. */
export function attemptsExpression(ref: OutboxRef): string {
  const { attempts } = ref.mapping.columns;
  const native = attempts ? `${columnSql(attempts, "t")}::int` : null;
  const beside = ref.storeSide ? "d.attempts" : null;
  const known = [native, beside].filter((sql) => sql !== null);
  return known.length === 0 ? "NULL::int" : `coalesce(${known.join(", ")}, 0)`;
}

/** True when at least one attempt has failed. */
export function hasFailedPredicate(ref: OutboxRef): string {
  const { lifecycle } = ref.mapping;
  const byWord =
    lifecycle.kind === "status" ? `coalesce(${statusIn(lifecycle.column, lifecycle.failed, "t")}, false)` : "false";
  return `(${byWord} OR coalesce(${attemptsExpression(ref)}, 0) > 0)`;
}

/** True when the table itself says that a relay (ours or the team's) is publishing the message. */
export function nativeInFlightPredicate(mapping: OutboxMapping): string {
  const { lifecycle, columns } = mapping;
  const byWord =
    lifecycle.kind === "status" ? `coalesce(${statusIn(lifecycle.column, lifecycle.inFlight, "t")}, false)` : null;
  const byLock = columns.lockedUntil
    ? `coalesce(${instantExpression(columns.lockedUntil, "t")} > clock_timestamp(), false)`
    : null;
  if (byWord && byLock) return `(${byWord} AND ${byLock})`;
  return byWord ?? byLock ?? "false";
}

/** True when the table's own word says that a relay is publishing the message, and its lock has run out. */
function expiredNativePredicate({ lifecycle, columns }: OutboxMapping): string {
  if (lifecycle.kind !== "status" || lifecycle.inFlight.length === 0 || !columns.lockedUntil) return "false";
  const until = instantExpression(columns.lockedUntil, "t");
  return `coalesce(${statusIn(lifecycle.column, lifecycle.inFlight, "t")} AND ${until} <= clock_timestamp(), false)`;
}

/** True when the table's own word says that a relay is publishing the message, and no column says until when. */
function undatedClaimPredicate({ lifecycle, columns }: OutboxMapping): string {
  if (lifecycle.kind !== "status" || columns.lockedUntil) return "false";
  return `coalesce(${statusIn(lifecycle.column, lifecycle.inFlight, "t")}, false)`;
}

/** True when it was given up on, by the table's own word or by what is kept beside. */
export function deadPredicate(ref: OutboxRef): string {
  const native = nativeDeadPredicate(ref.mapping, "t");
  return ref.storeSide
    ? `(coalesce(${native}, false) OR (d.dead_at IS NOT NULL AND NOT coalesce(${publishedPredicate(ref.mapping, "t")}, false)))`
    : `coalesce(${native}, false)`;
}

/** The state of row `t`: the first that holds, in the order of domain/message-state.ts. */
export function stateExpression(ref: OutboxRef): string {
  const { mapping } = ref;
  const id = messageIdExpression(mapping, "t");
  return `CASE
    WHEN ${unknownPredicate(mapping, "t")} THEN 'unknown'
    WHEN ${deadPredicate(ref)} THEN 'dead'
    WHEN ${publishedPredicate(mapping, "t")} THEN 'published'
    WHEN ${expiredPredicate(mapping, "t")} THEN 'expired'
    WHEN ${id} IN (SELECT id FROM claimed WHERE live) OR ${nativeInFlightPredicate(mapping)} THEN 'in_flight'
    WHEN ${hasFailedPredicate(ref)} THEN 'failed'
    ELSE 'pending' END`;
}

/** When the message became due: created, or first available where that is later. */
export function dueSinceExpression(mapping: OutboxMapping): string {
  const { createdAt, availableAt } = mapping.columns;
  if (!createdAt) return "NULL::timestamptz";
  const created = instantExpression(createdAt, "t");
  return availableAt && !mapping.columns.attempts
    ? `greatest(${created}, ${instantExpression(availableAt, "t")})`
    : created;
}

/** Columns of MessageRow for a row that is in its table. */
export function tableRowColumns(ref: OutboxRef): string {
  const { columns, lifecycle } = ref.mapping;
  const id = messageIdExpression(ref.mapping, "t");
  const text = (column: keyof typeof columns) =>
    columns[column] ? `${columnSql(columns[column], "t")}::text` : "NULL::text";
  const at = (column: keyof typeof columns) =>
    columns[column] ? instantText(instantExpression(columns[column], "t")) : "NULL::text";
  const published = lifecycle.kind === "flag" || !columns.publishedAt?.time ? "NULL::text" : at("publishedAt");
  const created = columns.createdAt ? instantExpression(columns.createdAt, "t") : "NULL::timestamptz";
  const nextAttempt = [
    columns.availableAt && columns.attempts ? instantExpression(columns.availableAt, "t") : null,
    ref.storeSide ? "d.next_attempt_at" : null,
  ].filter((sql) => sql !== null);
  const lastError = [ref.storeSide ? "d.last_error" : null, columns.lastError ? text("lastError") : null].filter(
    (sql) => sql !== null,
  );
  return `${id} AS "id",
    t.xmin::text || ${ref.storeSide ? "coalesce('.' || d.xmin::text, '')" : "''"} AS "version",
    ${stateExpression(ref)} AS "state",
    (${id} IN (SELECT id FROM claimed WHERE NOT live) OR ${expiredNativePredicate(ref.mapping)}) AS "claimExpired",
    ${undatedClaimPredicate(ref.mapping)} AS "claimUndated",
    ${text("eventType")} AS "eventType", ${text("aggregateType")} AS "aggregateType", ${text("aggregateId")} AS "aggregateId",
    ${at("createdAt")} AS "createdAt", ${published} AS "publishedAt", ${at("availableAt")} AS "availableAt",
    extract(epoch FROM clock_timestamp() - ${created})::float8 AS "ageSeconds",
    ${attemptsExpression(ref)} AS "attempts", ${ref.maxAttempts ?? ref.mapping.deadAttempts ?? "NULL"}::int AS "maxAttempts",
    ${nextAttempt.length > 0 ? instantText(`coalesce(${nextAttempt.join(", ")})`) : "NULL::text"} AS "nextAttemptAt",
    left(${lastError.length > 0 ? `coalesce(${lastError.join(", ")})` : "NULL::text"}, 500) AS "lastError",
    ${ref.storeSide ? "d.last_error_code" : "NULL::text"} AS "lastErrorCode",
    ${blockedByExpression(ref)} AS "blockedBy", NULL::text AS "archivedAt",
    ${lifecycle.kind === "status" ? `${columnSql(lifecycle.column, "t")}::text` : "NULL::text"} AS "rawStatus", NULL::int AS "payloadBytes"`;
}

/** The failed message of the same aggregate that this one waits for; one that is dead in its own table has no next attempt. Uses delivery_aggregate_idx. */
function blockedByExpression(ref: OutboxRef): string {
  if (!ref.storeSide || !ref.mapping.columns.aggregateId) return "NULL::text";
  return `(SELECT h.message_id FROM outbox_console.delivery h
      WHERE h.outbox = $1 AND h.aggregate_key = ${aggregateKeyExpression(ref.mapping, "t")} AND h.dead_at IS NULL AND h.attempts > 0 AND h.next_attempt_at IS NOT NULL
        AND h.message_id <> ${messageIdExpression(ref.mapping, "t")} AND NOT ${publishedPredicate(ref.mapping, "t")}
      ORDER BY h.first_failed_at LIMIT 1)`;
}

/** Columns of MessageRow for a row of dead_letter or archive, as `m`. */
export function movedRowColumns(ref: OutboxRef, place: "dead_letter" | "archive"): string {
  const at = (column: string) => instantText(`m.${column}`);
  return `m.message_id AS "id", 'm' || m.xmin::text AS "version", ${place === "archive" ? "'archived'" : "'dead'"} AS "state", false AS "claimExpired", false AS "claimUndated",
    m.event_type AS "eventType", m.aggregate_type AS "aggregateType", m.aggregate_id AS "aggregateId",
    ${at("created_at")} AS "createdAt", ${at("published_at")} AS "publishedAt", NULL::text AS "availableAt",
    extract(epoch FROM clock_timestamp() - m.created_at)::float8 AS "ageSeconds", m.attempts AS "attempts",
    ${ref.maxAttempts ?? "NULL"}::int AS "maxAttempts", NULL::text AS "nextAttemptAt", left(m.last_error, 500) AS "lastError",
    m.last_error_code AS "lastErrorCode", NULL::text AS "blockedBy",
    ${place === "archive" ? at("archived_at") : "NULL::text"} AS "archivedAt", ${place === "archive" ? "m.state_before" : "NULL::text"} AS "rawStatus", m.payload_bytes AS "payloadBytes"`;
}
