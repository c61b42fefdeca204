import type { PoolClient } from "pg";
import { MESSAGE_STATES, type MessageState } from "#domain/message-state.ts";
import type { OutboxRef } from "../outbox-ref.ts";
import {
  expiredPredicate,
  messageIdExpression,
  nativeDeadPredicate,
  publishedPredicate,
  quoteTable,
  unknownPredicate,
  unsentPredicate,
} from "./mapping-sql.ts";
import { claimsCte, fromTable, hasFailedPredicate, nativeInFlightPredicate, stateExpression } from "./message-sql.ts";
import { wouldScan } from "./query-cost.ts";

export interface CountFigure {
  value: number;
  precision: "exact" | "capped" | "estimate" | "unknown";
}
export type StateCounts = Record<MessageState, CountFigure>;

/** Tables up to this size are counted whole, in one pass: some 20,000 messages, some 20 ms. */
const SMALL_TABLE_BYTES = 16 * 1024 * 1024;
/** Waiting messages are counted exactly up to here: about 20 ms. */
export const COUNT_CAP = 50_000;

const exact = (value: number): CountFigure => ({ value, precision: "exact" });

/** How many messages are in each state, from one snapshot; exact, capped, estimated or unknown, and says which. */
export async function countMessages(client: PoolClient, ref: OutboxRef): Promise<StateCounts> {
  const small = (await heapBytes(client, ref)) <= SMALL_TABLE_BYTES;
  const inTable = small ? await countWhole(client, ref) : await countLarge(client, ref);
  const moved = ref.storeSide ? await countMoved(client, ref) : { dead: 0, archived: 0 };
  return {
    ...inTable,
    dead: { ...inTable.dead, value: inTable.dead.value + moved.dead },
    archived: exact(moved.archived),
  };
}

/** Bytes of the table's heap, partitions included: what one pass over it would read. */
async function heapBytes(client: PoolClient, ref: OutboxRef): Promise<number> {
  const result = await client.query<{ bytes: number }>(
    "SELECT coalesce(sum(pg_relation_size(relid)), pg_relation_size($1::regclass))::float8 AS bytes FROM pg_partition_tree($1::regclass)",
    [quoteTable(ref.mapping.table)],
  );
  return result.rows[0]?.bytes ?? 0;
}

/** The planner's own estimate, which scales old statistics by the table's present size. */
async function estimateRows(client: PoolClient, ref: OutboxRef, where: string): Promise<number> {
  const explained = await client.query<{ "QUERY PLAN": { Plan: { "Plan Rows": number } }[] }>(
    `EXPLAIN (FORMAT JSON) SELECT 1 FROM ${quoteTable(ref.mapping.table)} t WHERE ${where}`,
  );
  return explained.rows[0]?.["QUERY PLAN"][0]?.Plan["Plan Rows"] ?? 0;
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

/**
 * The unsent part is counted by its partial index up to the cap; published is what is left of the estimated rows. Each
 * message counts once, in the order of precedence, as `stateExpression` tells it.
 */
async function countLarge(client: PoolClient, ref: OutboxRef): Promise<StateCounts> {
  const { mapping } = ref;
  const unsent = await countCapped(client, ref, unsentPredicate(mapping, "t"));
  const isUnknown = unknownPredicate(mapping, "t");
  const isDead = nativeDeadPredicate(mapping, "t");
  const known = isUnknown === "false" ? "" : ` AND NOT ${isUnknown}`;
  const beside = ref.storeSide ? await countBeside(client, ref) : 0;
  const inFlight = await countInFlight(client, ref);
  const failed = await countFailed(client, ref);
  const dead = await countCapped(client, ref, isDead === "false" ? isDead : `${isDead}${known}`);
  const expired = await countCapped(client, ref, expiredAlone(ref, known));
  const unknown = await countCapped(client, ref, isUnknown);
  const waiting = unsent.value - inFlight.value - failed.value - beside;
  const pending = { ...unsent, value: Math.max(0, waiting) };
  return {
    pending:
      inFlight.precision === "exact" && failed.precision === "exact"
        ? pending
        : { ...pending, precision: worse(unsent) },
    failed,
    in_flight: inFlight,
    dead: { ...dead, value: dead.value + beside },
    published: await countPublished(client, ref, [unsent, dead, expired, unknown]),
    archived: exact(0),
    expired,
    unknown,
  };
}

/** A difference of numbers that are not exact is not exact either. */
function worse(figure: CountFigure): CountFigure["precision"] {
  return figure.precision === "exact" ? "estimate" : figure.precision;
}

function expiredAlone(ref: OutboxRef, known: string): string {
  const isExpired = expiredPredicate(ref.mapping, "t");
  if (isExpired === "false") return isExpired;
  const isDead = nativeDeadPredicate(ref.mapping, "t");
  const isPublished = publishedPredicate(ref.mapping, "t");
  return `${isExpired}${known} AND NOT coalesce(${isDead}, false) AND NOT coalesce(${isPublished}, false)`;
}

/** What is left of the estimated rows; where the others are not exact, the planner's own estimate, if it has statistics. */
async function countPublished(
  client: PoolClient,
  ref: OutboxRef,
  others: readonly CountFigure[],
): Promise<CountFigure> {
  const published = publishedPredicate(ref.mapping, "t");
  if (published === "false") return exact(0);
  if (others.every((figure) => figure.precision === "exact")) {
    const left = (await estimateRows(client, ref, "true")) - others.reduce((sum, figure) => sum + figure.value, 0);
    return { value: Math.max(0, Math.round(left)), precision: "estimate" };
  }
  if (!(await hasStatistics(client, ref))) return { value: 0, precision: "unknown" };
  return { value: await estimateRows(client, ref, published), precision: "estimate" };
}

/** Autovacuum analyses partitions, never their parent. */
async function hasStatistics(client: PoolClient, ref: OutboxRef): Promise<boolean> {
  const result = await client.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM pg_class c WHERE c.reltuples > 0 AND (c.oid = $1::regclass OR c.oid IN (SELECT relid FROM pg_partition_tree($1::regclass)))) AS found`,
    [quoteTable(ref.mapping.table)],
  );
  return result.rows[0]?.found ?? false;
}

export async function countCapped(client: PoolClient, ref: OutboxRef, predicate: string): Promise<CountFigure> {
  if (predicate === "false") return exact(0);
  return countWhere(client, `SELECT 1 FROM ${quoteTable(ref.mapping.table)} t WHERE ${predicate}`, "", []);
}

async function countWhere(client: PoolClient, select: string, cte: string, values: unknown[]): Promise<CountFigure> {
  const sql = `${cte} SELECT count(*)::int AS count FROM (${select} LIMIT ${COUNT_CAP + 1}) found`;
  if (await wouldScan(client, sql, values)) return { value: 0, precision: "unknown" };
  const count = (await client.query<{ count: number }>(sql, values)).rows[0]?.count ?? 0;
  return count > COUNT_CAP ? { value: COUNT_CAP, precision: "capped" } : exact(count);
}

async function countInFlight(client: PoolClient, ref: OutboxRef): Promise<CountFigure> {
  const native = nativeInFlightPredicate(ref.mapping);
  const byTable =
    native === "false"
      ? exact(0)
      : await countCapped(client, ref, `${unsentPredicate(ref.mapping, "t")} AND ${native}`);
  if (!ref.storeSide) return byTable;
  const result = await client.query<{ count: number }>(
    `WITH ${claimsCte(ref)} SELECT count(*)::int AS count FROM claimed WHERE live
       AND id NOT IN (SELECT message_id FROM outbox_console.delivery WHERE outbox = $1 AND dead_at IS NOT NULL)`,
    [ref.name],
  );
  return { ...byTable, value: byTable.value + (result.rows[0]?.count ?? 0) };
}

async function countFailed(client: PoolClient, ref: OutboxRef): Promise<CountFigure> {
  const { mapping } = ref;
  const native =
    mapping.columns.attempts !== undefined ||
    (mapping.lifecycle.kind === "status" && mapping.lifecycle.failed.length > 0);
  if (!native && !ref.storeSide) return exact(0);
  if (!native) {
    const result = await client.query<{ count: number }>(
      `WITH ${claimsCte(ref)} SELECT count(*)::int AS count FROM outbox_console.delivery d
       WHERE d.outbox = $1 AND d.dead_at IS NULL AND d.attempts > 0 AND d.message_id NOT IN (SELECT id FROM claimed WHERE live)`,
      [ref.name],
    );
    return exact(result.rows[0]?.count ?? 0);
  }
  const unclaimed = `${messageIdExpression(mapping, "t")} NOT IN (SELECT id FROM claimed WHERE live) AND NOT ${nativeInFlightPredicate(mapping)}`;
  const select = `SELECT 1 FROM ${quoteTable(mapping.table)} t WHERE ${unsentPredicate(mapping, "t")} AND ${hasFailedPredicate({ ...ref, storeSide: false })} AND ${unclaimed}`;
  return countWhere(client, select, `WITH ${claimsCte(ref)}`, [ref.name]);
}

async function countBeside(client: PoolClient, ref: OutboxRef): Promise<number> {
  const result = await client.query<{ dead: number }>(
    "SELECT count(*)::int AS dead FROM outbox_console.delivery WHERE outbox = $1 AND dead_at IS NOT NULL",
    [ref.name],
  );
  return result.rows[0]?.dead ?? 0;
}

async function countMoved(client: PoolClient, ref: OutboxRef): Promise<{ dead: number; archived: number }> {
  const result = await client.query<{ dead: number; archived: number }>(
    `SELECT (SELECT count(*)::int FROM outbox_console.dead_letter WHERE outbox = $1) AS dead,
            (SELECT count(*)::int FROM outbox_console.archive WHERE outbox = $1) AS archived`,
    [ref.name],
  );
  return result.rows[0] ?? { dead: 0, archived: 0 };
}
