import type { PoolClient } from "pg";
import { MESSAGE_STATES, type MessageState } from "#domain/message-state.ts";
import type { OutboxRef } from "../outbox-ref.ts";
import { expiredPredicate, nativeDeadPredicate, quoteTable, unknownPredicate, unsentPredicate } from "./mapping-sql.ts";
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
async function estimateRows(client: PoolClient, ref: OutboxRef): Promise<number> {
  const explained = await client.query<{ "QUERY PLAN": { Plan: { "Plan Rows": number } }[] }>(
    `EXPLAIN (FORMAT JSON) SELECT 1 FROM ${quoteTable(ref.mapping.table)}`,
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

/** The unsent part is counted by its partial index up to the cap; published comes from statistics. */
async function countLarge(client: PoolClient, ref: OutboxRef): Promise<StateCounts> {
  const { mapping } = ref;
  const unsent = await countCapped(client, ref, unsentPredicate(mapping, "t"));
  const nativeDead = nativeDeadPredicate(mapping, "t");
  const beside = ref.storeSide && nativeDead === "false" ? await countBeside(client, ref) : { dead: 0 };
  const inFlight = await countInFlight(client, ref);
  const failed = await countFailed(client, ref);
  const dead = await countCapped(client, ref, nativeDead);
  const expired = await countCapped(client, ref, expiredPredicate(mapping, "t"));
  const unknown = await countCapped(client, ref, unknownPredicate(mapping, "t"));
  const rows = await estimateRows(client, ref);
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

export async function countCapped(client: PoolClient, ref: OutboxRef, predicate: string): Promise<CountFigure> {
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
