import type { PoolClient } from "pg";
import type { OutboxRef } from "../outbox-ref.ts";
import { COUNT_CAP, type CountFigure, countCapped } from "./count-messages.ts";
import {
  columnSql,
  instantExpression,
  instantText,
  messageIdExpression,
  orderColumn,
  quoteTable,
  unsentPredicate,
} from "./mapping-sql.ts";
import { claimLivesSql, claimsCte, dueSinceExpression, fromTable, nativeInFlightPredicate } from "./message-sql.ts";
import { wouldScan } from "./query-cost.ts";

export interface Waiting {
  oldest: { id: string; ageSeconds: number } | null;
  /** False where finding the oldest would read the whole table. */
  oldestKnown: boolean;
  scheduled: CountFigure;
  nextRetryInSeconds: number | null;
  blocked: { messages: number; capped: boolean; aggregates: number; oldestAgeSeconds: number | null };
  deadLast24h: number | null;
  /** Age of the oldest live claim: long when a relay cannot finish what it has claimed. */
  oldestClaimSeconds: number | null;
  asOf: string;
}

/** How many of the first waiting messages are looked at for the oldest; order and age may differ a little. */
const OLDEST_WINDOW = 200;

/** Ages of what waits, and what it waits for. The oldest is over due messages that no live claim holds. */
export async function readWaiting(client: PoolClient, ref: OutboxRef): Promise<Waiting> {
  const { mapping } = ref;
  const { availableAt, attempts } = mapping.columns;
  const scheduledAt = availableAt && !attempts ? instantExpression(availableAt, "t") : null;
  const beside = ref.storeSide ? "AND d.dead_at IS NULL" : "";
  const sql = `WITH ${claimsCte(ref)}
     SELECT id, "ageSeconds" FROM (
       SELECT ${messageIdExpression(mapping, "t")} AS id, extract(epoch FROM clock_timestamp() - ${dueSinceExpression(mapping)})::float8 AS "ageSeconds"
       FROM ${fromTable(ref)} WHERE ${unsentPredicate(mapping, "t")} ${beside}
         AND ${messageIdExpression(mapping, "t")} NOT IN (SELECT id FROM claimed WHERE live) AND NOT ${nativeInFlightPredicate(mapping)}
         ${scheduledAt ? `AND coalesce(${scheduledAt} <= clock_timestamp(), true)` : ""}
       ORDER BY ${columnSql(orderColumn(mapping), "t")} LIMIT ${OLDEST_WINDOW}) window_
     ORDER BY "ageSeconds" DESC NULLS LAST LIMIT 1`;
  const oldestKnown = !(await wouldScan(client, sql, [ref.name]));
  const row = oldestKnown
    ? (await client.query<{ id: string; ageSeconds: number | null }>(sql, [ref.name])).rows[0]
    : undefined;
  return {
    oldest: row && row.ageSeconds !== null ? { id: row.id, ageSeconds: Math.max(0, row.ageSeconds) } : null,
    oldestKnown,
    scheduled: scheduledAt
      ? await countCapped(client, ref, `${unsentPredicate(mapping, "t")} AND ${scheduledAt} > clock_timestamp()`)
      : { value: 0, precision: "exact" },
    ...(ref.storeSide
      ? await readBeside(client, ref)
      : {
          nextRetryInSeconds: null,
          blocked: { messages: 0, capped: false, aggregates: 0, oldestAgeSeconds: null },
          deadLast24h: null,
          oldestClaimSeconds: null,
        }),
    asOf: await databaseClock(client),
  };
}

/** The database's time; on a replica, of the last transaction it has replayed: what it shows is as of then. */
export async function databaseClock(client: PoolClient): Promise<string> {
  const result = await client.query<{ now: string }>(
    `SELECT ${instantText("CASE WHEN pg_is_in_recovery() THEN coalesce(pg_last_xact_replay_timestamp(), clock_timestamp()) ELSE clock_timestamp() END")} AS now`,
  );
  return result.rows[0]?.now ?? "";
}

async function readBeside(
  client: PoolClient,
  ref: OutboxRef,
): Promise<Pick<Waiting, "nextRetryInSeconds" | "blocked" | "deadLast24h" | "oldestClaimSeconds">> {
  const head = await client.query<{
    nextRetryInSeconds: number | null;
    deadLast24h: number;
    heads: number;
    oldestClaimSeconds: number | null;
  }>(
    `SELECT (SELECT greatest(0, extract(epoch FROM min(next_attempt_at) - clock_timestamp()))::float8 FROM outbox_console.delivery
              WHERE outbox = $1 AND dead_at IS NULL AND next_attempt_at IS NOT NULL) AS "nextRetryInSeconds",
       (SELECT count(*)::int FROM outbox_console.dead_letter WHERE outbox = $1 AND dead_at > clock_timestamp() - interval '24 hours')
       + (SELECT count(*)::int FROM outbox_console.delivery WHERE outbox = $1 AND dead_at > clock_timestamp() - interval '24 hours') AS "deadLast24h",
       (SELECT count(DISTINCT aggregate_key)::int FROM outbox_console.delivery WHERE outbox = $1 AND dead_at IS NULL AND attempts > 0 AND next_attempt_at IS NOT NULL) AS heads,
       (SELECT extract(epoch FROM clock_timestamp() - min(c.started_at))::float8 FROM outbox_console.claim c
          WHERE c.outbox = $1 AND ${claimLivesSql("c")}) AS "oldestClaimSeconds"`,
    [ref.name],
  );
  const { nextRetryInSeconds = null, deadLast24h = 0, heads = 0, oldestClaimSeconds = null } = head.rows[0] ?? {};
  const blocked =
    heads > 0 ? await readBlocked(client, ref) : { messages: 0, capped: false, aggregates: 0, oldestAgeSeconds: null };
  return { nextRetryInSeconds, deadLast24h, blocked, oldestClaimSeconds };
}

/** Messages that wait behind a failed head of their aggregate, among the first waiting ones up to the cap. */
async function readBlocked(client: PoolClient, ref: OutboxRef): Promise<Waiting["blocked"]> {
  const { mapping } = ref;
  const { aggregateId, aggregateType, createdAt } = mapping.columns;
  if (!aggregateId) return { messages: 0, capped: false, aggregates: 0, oldestAgeSeconds: null };
  const key = aggregateType ? `(u.atype || '/' || u.aid)` : "u.aid";
  const result = await client.query<{ messages: number; aggregates: number; oldest: number | null; seen: number }>(
    `WITH waiting AS (SELECT ${messageIdExpression(mapping, "t")} AS id, ${columnSql(aggregateId, "t")}::text AS aid,
         ${aggregateType ? `${columnSql(aggregateType, "t")}::text` : "NULL::text"} AS atype, ${createdAt ? instantExpression(createdAt, "t") : "NULL::timestamptz"} AS created
       FROM ${quoteTable(mapping.table)} t WHERE ${unsentPredicate(mapping, "t")} LIMIT ${COUNT_CAP + 1})
     SELECT count(*)::int AS messages, count(DISTINCT ${key})::int AS aggregates, (SELECT count(*)::int FROM waiting) AS seen,
       extract(epoch FROM clock_timestamp() - min(u.created))::float8 AS oldest
     FROM waiting u WHERE ${key} IN (SELECT aggregate_key FROM outbox_console.delivery WHERE outbox = $1 AND dead_at IS NULL AND attempts > 0 AND next_attempt_at IS NOT NULL)
       AND u.id NOT IN (SELECT message_id FROM outbox_console.delivery WHERE outbox = $1)`,
    [ref.name],
  );
  const row = result.rows[0];
  return {
    messages: row?.messages ?? 0,
    capped: (row?.seen ?? 0) > COUNT_CAP,
    aggregates: row?.aggregates ?? 0,
    oldestAgeSeconds: row?.oldest ?? null,
  };
}
