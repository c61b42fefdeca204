import type { PoolClient } from "pg";
import { MESSAGE_STATES, type MessageState } from "#domain/message-state.ts";
import type { OutboxRef } from "../outbox-ref.ts";
import {
  columnSql,
  expiredPredicate,
  instantExpression,
  messageIdExpression,
  nativeDeadPredicate,
  orderColumn,
  publishedPredicate,
  quoteTable,
  unknownPredicate,
  unsentPredicate,
} from "./mapping-sql.ts";
import {
  claimsCte,
  dueSinceExpression,
  fromTable,
  hasFailedPredicate,
  nativeInFlightPredicate,
  stateExpression,
} from "./message-sql.ts";
import { wouldScan } from "./query-cost.ts";

export interface CountFigure {
  value: number;
  precision: "exact" | "capped" | "estimate" | "unknown";
}
export type StateCounts = Record<MessageState, CountFigure>;

/** Tables up to this many estimated rows are counted whole, in one pass: a few milliseconds. */
const SMALL_TABLE_ROWS = 20_000;
/** Waiting messages are counted exactly up to here: about 20 ms. */
const COUNT_CAP = 50_000;

const exact = (value: number): CountFigure => ({ value, precision: "exact" });

/** How many messages are in each state, from one snapshot; exact, capped, estimated or unknown, and says which. */
export async function countMessages(client: PoolClient, ref: OutboxRef): Promise<StateCounts> {
  const rows = await currentEstimate(client, ref);
  const inTable =
    rows >= 0 && rows <= SMALL_TABLE_ROWS ? await countWhole(client, ref) : await countLarge(client, ref, rows);
  const moved = ref.storeSide ? await countMoved(client, ref) : { dead: 0, archived: 0 };
  return {
    ...inTable,
    dead: { ...inTable.dead, value: inTable.dead.value + moved.dead },
    archived: exact(moved.archived),
  };
}

/** reltuples goes stale on a young table, so the file's size bounds it: a page holds at most some 200 narrow rows. */
async function currentEstimate(client: PoolClient, ref: OutboxRef): Promise<number> {
  const result = await client.query<{ rows: number; pages: number }>(
    `SELECT coalesce(sum(greatest(c.reltuples, 0)), 0)::float8 AS rows, coalesce(sum(pg_relation_size(c.oid)), 0)::float8 / 8192 AS pages
     FROM pg_partition_tree($1::regclass) p JOIN pg_class c ON c.oid = p.relid WHERE p.isleaf
     UNION ALL
     SELECT greatest(c.reltuples, -1)::float8, pg_relation_size(c.oid)::float8 / 8192 FROM pg_class c WHERE c.oid = $1::regclass AND c.relkind = 'r'`,
    [quoteTable(ref.mapping.table)],
  );
  const rows = Math.max(...result.rows.map((row) => row.rows), -1);
  const pages = Math.max(...result.rows.map((row) => row.pages), 0);
  const mayHold = pages * 60;
  return rows < 0 || mayHold > rows * 4 ? Math.max(rows, mayHold) : rows;
}

async function countWhole(client: PoolClient, ref: OutboxRef): Promise<StateCounts> {
  const result = await client.query<{ state: MessageState; count: number }>(
    `WITH ${claimsCte(ref)} SELECT ${stateExpression(ref)} AS state, count(*)::int AS count FROM ${fromTable(ref)} GROUP BY 1`,
    [ref.name],
  );
  const counts = Object.fromEntries(MESSAGE_STATES.map((state) => [state, exact(0)])) as StateCounts;
  for (const row of result.rows) counts[row.state] = exact(row.count);
  return counts;
}

/** The unsent part is counted by its partial index up to the cap; published comes from statistics. */
async function countLarge(client: PoolClient, ref: OutboxRef, rows: number): Promise<StateCounts> {
  const { mapping } = ref;
  const unsent = await countCapped(client, ref, unsentPredicate(mapping, "t"));
  const beside = ref.storeSide ? await countBeside(client, ref) : { dead: 0 };
  const inFlight = await countInFlight(client, ref);
  const failed = await countFailed(client, ref);
  const dead = await countCapped(client, ref, nativeDeadPredicate(mapping, "t"));
  const expired = await countCapped(client, ref, expiredPredicate(mapping, "t"));
  const unknown = await countCapped(client, ref, unknownPredicate(mapping, "t"));
  const waiting = unsent.value - inFlight - failed.value - beside.dead;
  return {
    pending: { ...unsent, value: Math.max(0, waiting) },
    failed,
    in_flight: exact(inFlight),
    dead: { ...dead, value: dead.value + beside.dead },
    published: { value: Math.max(0, Math.round(rows - unsent.value - dead.value)), precision: "estimate" },
    archived: exact(0),
    expired,
    unknown,
  };
}

async function countCapped(client: PoolClient, ref: OutboxRef, predicate: string): Promise<CountFigure> {
  if (predicate === "false") return exact(0);
  const sql = `SELECT count(*)::int AS count FROM (SELECT 1 FROM ${quoteTable(ref.mapping.table)} t WHERE ${predicate} LIMIT ${COUNT_CAP + 1}) found`;
  if (await wouldScan(client, sql, [])) return { value: 0, precision: "unknown" };
  const count = (await client.query<{ count: number }>(sql)).rows[0]?.count ?? 0;
  return count > COUNT_CAP ? { value: COUNT_CAP, precision: "capped" } : exact(count);
}

async function countInFlight(client: PoolClient, ref: OutboxRef): Promise<number> {
  const native = nativeInFlightPredicate(ref.mapping);
  if (native !== "false")
    return (await countCapped(client, ref, `${unsentPredicate(ref.mapping, "t")} AND ${native}`)).value;
  const result = await client.query<{ count: number }>(
    `WITH ${claimsCte(ref)} SELECT count(*)::int AS count FROM claimed WHERE live`,
    [ref.name],
  );
  return result.rows[0]?.count ?? 0;
}

async function countFailed(client: PoolClient, ref: OutboxRef): Promise<CountFigure> {
  const { lifecycle, columns } = ref.mapping;
  const native = columns.attempts !== undefined || (lifecycle.kind === "status" && lifecycle.failed.length > 0);
  if (!native && !ref.storeSide) return exact(0);
  if (!native) {
    const result = await client.query<{ count: number }>(
      `WITH ${claimsCte(ref)} SELECT count(*)::int AS count FROM outbox_console.delivery d
       WHERE d.outbox = $1 AND d.dead_at IS NULL AND d.attempts > 0 AND d.message_id NOT IN (SELECT id FROM claimed WHERE live)`,
      [ref.name],
    );
    return exact(result.rows[0]?.count ?? 0);
  }
  const plain: OutboxRef = { ...ref, storeSide: false };
  return countCapped(client, ref, `${unsentPredicate(ref.mapping, "t")} AND ${hasFailedPredicate(plain)}`);
}

async function countBeside(client: PoolClient, ref: OutboxRef): Promise<{ dead: number }> {
  const result = await client.query<{ dead: number }>(
    "SELECT count(*)::int AS dead FROM outbox_console.delivery WHERE outbox = $1 AND dead_at IS NOT NULL",
    [ref.name],
  );
  return { dead: result.rows[0]?.dead ?? 0 };
}

async function countMoved(client: PoolClient, ref: OutboxRef): Promise<{ dead: number; archived: number }> {
  const result = await client.query<{ dead: number; archived: number }>(
    `SELECT (SELECT count(*)::int FROM outbox_console.dead_letter WHERE outbox = $1) AS dead,
            (SELECT count(*)::int FROM outbox_console.archive WHERE outbox = $1) AS archived`,
    [ref.name],
  );
  return result.rows[0] ?? { dead: 0, archived: 0 };
}

export interface Waiting {
  oldest: { id: string; ageSeconds: number } | null;
  scheduled: number;
  nextRetryInSeconds: number | null;
  blocked: { messages: number; capped: boolean; aggregates: number; oldestAgeSeconds: number | null };
  deadLast24h: number | null;
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
  const oldest = await client.query<{ id: string; ageSeconds: number; asOf: string }>(
    `WITH ${claimsCte(ref)}
     SELECT id, "ageSeconds" FROM (
       SELECT ${messageIdExpression(mapping, "t")} AS id, extract(epoch FROM clock_timestamp() - ${dueSinceExpression(mapping)})::float8 AS "ageSeconds"
       FROM ${fromTable(ref)} WHERE ${unsentPredicate(mapping, "t")} ${beside}
         AND ${messageIdExpression(mapping, "t")} NOT IN (SELECT id FROM claimed WHERE live) AND NOT ${nativeInFlightPredicate(mapping)}
         ${scheduledAt ? `AND coalesce(${scheduledAt} <= clock_timestamp(), true)` : ""}
       ORDER BY ${columnSql(orderColumn(mapping), "t")} LIMIT ${OLDEST_WINDOW}) window_
     ORDER BY "ageSeconds" DESC NULLS LAST LIMIT 1`,
    [ref.name],
  );
  const [row] = oldest.rows;
  return {
    oldest: row && row.ageSeconds !== null ? { id: row.id, ageSeconds: Math.max(0, row.ageSeconds) } : null,
    scheduled: scheduledAt
      ? (await countCapped(client, ref, `${unsentPredicate(mapping, "t")} AND ${scheduledAt} > clock_timestamp()`))
          .value
      : 0,
    ...(ref.storeSide
      ? await readBeside(client, ref)
      : {
          nextRetryInSeconds: null,
          blocked: { messages: 0, capped: false, aggregates: 0, oldestAgeSeconds: null },
          deadLast24h: null,
        }),
    asOf: await databaseClock(client),
  };
}

export async function databaseClock(client: PoolClient): Promise<string> {
  const result = await client.query<{ now: string }>(
    `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS now`,
  );
  return result.rows[0]?.now ?? "";
}

async function readBeside(
  client: PoolClient,
  ref: OutboxRef,
): Promise<Pick<Waiting, "nextRetryInSeconds" | "blocked" | "deadLast24h">> {
  const head = await client.query<{ nextRetryInSeconds: number | null; deadLast24h: number; heads: number }>(
    `SELECT (SELECT greatest(0, extract(epoch FROM min(next_attempt_at) - clock_timestamp()))::float8 FROM outbox_console.delivery
              WHERE outbox = $1 AND dead_at IS NULL AND next_attempt_at IS NOT NULL) AS "nextRetryInSeconds",
       (SELECT count(*)::int FROM outbox_console.dead_letter WHERE outbox = $1 AND dead_at > clock_timestamp() - interval '24 hours')
       + (SELECT count(*)::int FROM outbox_console.delivery WHERE outbox = $1 AND dead_at > clock_timestamp() - interval '24 hours') AS "deadLast24h",
       (SELECT count(DISTINCT aggregate_key)::int FROM outbox_console.delivery WHERE outbox = $1 AND dead_at IS NULL AND attempts > 0) AS heads`,
    [ref.name],
  );
  const { nextRetryInSeconds = null, deadLast24h = 0, heads = 0 } = head.rows[0] ?? {};
  const blocked =
    heads > 0 ? await readBlocked(client, ref) : { messages: 0, capped: false, aggregates: 0, oldestAgeSeconds: null };
  return { nextRetryInSeconds, deadLast24h, blocked };
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
     FROM waiting u WHERE ${key} IN (SELECT aggregate_key FROM outbox_console.delivery WHERE outbox = $1 AND dead_at IS NULL AND attempts > 0)
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
