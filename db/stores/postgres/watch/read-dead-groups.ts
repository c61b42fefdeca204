import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ScanRefused } from "#db/stores/port/scan-refused.ts";
import type { DeadGroup } from "#domain/diagnosis/facts.ts";
import { entriesOf, readGuarded } from "../read/read-entries.ts";
import { columnSql, instantExpression, instantText, nativeDeadPredicate } from "../tables/mapping-sql.ts";
import { type BoundedReading, requirePart } from "./require-reading.ts";

/** Of each place, the newest dead messages. What is older has been looked at, or is in the same groups. */
const NEWEST = 10_000;
const MOST_GROUPS = 20;

/**
 * Kinds of dead messages, most first: by event type and error. From the store side, and from the table itself where it
 * says that a message is dead. Null where neither keeps any. Throws ScanRefused where only a scan could tell. Indexes: dead_letter_time_idx,
 * delivery_dead_idx, and the recommended index over dead rows.
 */
export async function readDeadGroups(client: PoolClient, ref: OutboxRef): Promise<DeadGroup[] | null> {
  const native = await nativePlace(client, ref);
  const places = [
    ...(ref.storeSide ? [besideSelect("dead_letter"), besideSelect("delivery")] : []),
    ...(native === null ? [] : [native.sql]),
  ];
  if (places.length === 0) return null;
  // Each step holds groups and not rows: sorting 10,000 error texts would not fit into work_mem.
  const sql = `SELECT event_type AS "eventType", code, (max(newest))[2] AS error, (max(newest))[3] AS fingerprint,
       sum(messages)::int AS messages, max(place_count) > ${NEWEST - 1} AS capped, ${instantText("min(first_at)")} AS "firstAt",
       ${instantText("max(last_at)")} AS "lastAt", sum(last_minute)::int AS "lastMinute"
     FROM (SELECT event_type, code, coalesce(fingerprint, error) AS kind, count(*) AS messages, min(died_at) AS first_at, max(died_at) AS last_at,
         max(ARRAY[coalesce(to_char(died_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), ''), error, fingerprint]) AS newest,
         count(*) FILTER (WHERE died_at > clock_timestamp() - interval '1 minute') AS last_minute,
         sum(count(*)) OVER (PARTITION BY place) AS place_count
       FROM (${places.join(" UNION ALL ")}) dead GROUP BY place, event_type, code, kind) kinds
     GROUP BY event_type, code, kind ORDER BY messages DESC, "lastAt" DESC NULLS LAST LIMIT ${MOST_GROUPS}`;
  const read = async () => (await client.query<DeadGroup>(sql, ref.storeSide ? [ref.name] : [])).rows;
  return readGuarded(client, native?.reading ?? { kind: "whole" }, read);
}

function besideSelect(table: "dead_letter" | "delivery"): string {
  return `(SELECT '${table}' AS place, event_type, last_error_code AS code, left(last_error, 500) AS error, fingerprint, coalesce(last_failed_at, dead_at) AS died_at
    FROM outbox_console.${table} WHERE outbox = $1 AND dead_at IS NOT NULL ORDER BY dead_at DESC LIMIT ${NEWEST})`;
}

/** From the table itself; null where it keeps none. */
async function nativePlace(
  client: PoolClient,
  ref: OutboxRef,
): Promise<{ reading: BoundedReading; sql: string } | null> {
  if (nativeDeadPredicate(ref.mapping, "t") === "false") return null;
  try {
    const reading = await requirePart(client, ref, "dead");
    return { reading, sql: nativeSelect(ref, reading) };
  } catch (error) {
    // What is kept beside the table is named all the same, and the figures say whether they know how many are dead.
    if (ref.storeSide && error instanceof ScanRefused) return null;
    throw error;
  }
}

/** The time of death is not in most tables: then none is said. */
function nativeSelect(ref: OutboxRef, reading: BoundedReading): string {
  const { mapping } = ref;
  const { eventType, lastError, publishedAt } = mapping.columns;
  const diedAt =
    publishedAt && mapping.lifecycle.kind === "status" ? instantExpression(publishedAt, "t") : "NULL::timestamptz";
  return `(SELECT 'table' AS place, ${eventType ? `${columnSql(eventType, "t")}::text` : "NULL::text"} AS event_type, NULL::text AS code,
    ${lastError ? `left(${columnSql(lastError, "t")}::text, 500)` : "NULL::text"} AS error, NULL::text AS fingerprint, ${diedAt} AS died_at
    FROM ${entriesOf(ref, reading, null)} t WHERE ${nativeDeadPredicate(mapping, "t")} LIMIT ${NEWEST})`;
}
