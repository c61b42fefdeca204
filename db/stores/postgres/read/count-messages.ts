import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { MESSAGE_STATES, type MessageState } from "#domain/message-state.ts";
import { isSmall } from "../plans/table-access.ts";
import {
  expiredPredicate,
  failedPredicate,
  messageIdExpression,
  nativeDeadPredicate,
  publishedPredicate,
  quoteTable,
  unknownPredicate,
  unsentPredicate,
} from "../tables/mapping-sql.ts";
import {
  claimsCte,
  fromTable,
  hasFailedPredicate,
  nativeInFlightPredicate,
  stateExpression,
} from "../tables/message-sql.ts";
import { COUNT_CAP, type CountFigure } from "./count-figure.ts";
import { countParts } from "./count-parts.ts";

export type StateCounts = Record<MessageState, CountFigure>;

const exact = (value: number): CountFigure => ({ value, precision: "exact" });

/** How many messages are in each state, from one snapshot; exact, capped, estimated or unknown, and says which. */
export async function countMessages(client: PoolClient, ref: OutboxRef): Promise<StateCounts> {
  const inTable = (await isSmall(client, ref)) ? await countWhole(client, ref) : await countLarge(client, ref);
  if (!ref.storeSide) return inTable;
  const movedDead = await countKept(client, ref, "outbox_console.dead_letter WHERE outbox = $1");
  const archived = await countKept(client, ref, "outbox_console.archive WHERE outbox = $1");
  return { ...inTable, dead: sum(inTable.dead, movedDead), archived };
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
 * What is not published is counted by the indexes that hold it; published is what is left of the estimated rows. Each
 * message counts once, in the order of precedence, as `stateExpression` tells it.
 */
async function countLarge(client: PoolClient, ref: OutboxRef): Promise<StateCounts> {
  const { mapping } = ref;
  const isUnknown = unknownPredicate(mapping, "t");
  const isDead = nativeDeadPredicate(mapping, "t");
  const known = isUnknown === "false" ? "" : ` AND NOT ${isUnknown}`;
  const beside = ref.storeSide
    ? await countKept(client, ref, "outbox_console.delivery WHERE outbox = $1 AND dead_at IS NOT NULL")
    : exact(0);
  const figures = await countParts(client, ref, {
    unsent: { part: "waiting", where: unsentPredicate(mapping, "t") },
    inFlight: { part: "waiting", where: `${unsentPredicate(mapping, "t")} AND ${nativeInFlightPredicate(mapping)}` },
    failed: { part: "failed", where: failedWhere(ref) },
    dead: { part: "dead", where: isDead === "false" ? isDead : `${isDead}${known}` },
    expired: { part: "unpublished", where: expiredAlone(ref, known) },
    unknown: { part: "unknown", where: isUnknown },
  });
  const { unsent, dead, expired, unknown } = figures;
  const inFlight = add(figures.inFlight, ref.storeSide ? await countClaimed(client, ref) : 0);
  const failed = tellsFailures(ref) || !ref.storeSide ? figures.failed : await countFailedBeside(client, ref);
  return {
    pending: pendingOf(unsent, [inFlight, failed, beside]),
    failed,
    in_flight: inFlight,
    dead: sum(dead, beside),
    published: await countPublished(client, ref, [unsent, dead, expired, unknown]),
    archived: exact(0),
    expired,
    unknown,
  };
}

/** Rows that are kept beside the table, up to the cap. Each has an index that begins with the outbox. */
async function countKept(client: PoolClient, ref: OutboxRef, from: string): Promise<CountFigure> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT 1 FROM ${from} LIMIT ${COUNT_CAP + 1}) kept`,
    [ref.name],
  );
  const count = rows[0]?.count ?? 0;
  return count > COUNT_CAP ? { value: COUNT_CAP, precision: "capped" } : exact(count);
}

/** A sum is as exact as its less exact part. */
function sum(one: CountFigure, other: CountFigure): CountFigure {
  const precision = one.precision === "exact" ? other.precision : one.precision;
  return { value: one.value + other.value, precision };
}

const add = (figure: CountFigure, value: number): CountFigure => ({ ...figure, value: figure.value + value });

/** What is left of the unsent. "At least none" is not known. */
function pendingOf(unsent: CountFigure, others: readonly CountFigure[]): CountFigure {
  const value = Math.max(0, unsent.value - others.reduce((sum, figure) => sum + figure.value, 0));
  if (value === 0 && unsent.precision === "capped") return { value, precision: "unknown" };
  return {
    value,
    precision: others.every(({ precision }) => precision === "exact") ? unsent.precision : worse(unsent),
  };
}

/** Whether the table itself tells that an attempt failed. */
function tellsFailures({ mapping }: OutboxRef): boolean {
  return failedPredicate(mapping, "t") !== null;
}

function failedWhere(ref: OutboxRef): string {
  if (!tellsFailures(ref)) return "false";
  const { mapping } = ref;
  const claimed = ref.storeSide
    ? ` AND ${messageIdExpression(mapping, "t")} NOT IN (SELECT id FROM claimed WHERE live)`
    : "";
  return `${unsentPredicate(mapping, "t")} AND ${hasFailedPredicate({ ...ref, storeSide: false })}${claimed} AND NOT ${nativeInFlightPredicate(mapping)}`;
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

async function countClaimed(client: PoolClient, ref: OutboxRef): Promise<number> {
  const result = await client.query<{ count: number }>(
    `WITH ${claimsCte(ref)} SELECT count(*)::int AS count FROM claimed WHERE live
       AND id NOT IN (SELECT message_id FROM outbox_console.delivery WHERE outbox = $1 AND dead_at IS NOT NULL)`,
    [ref.name],
  );
  return result.rows[0]?.count ?? 0;
}

async function countFailedBeside(client: PoolClient, ref: OutboxRef): Promise<CountFigure> {
  const result = await client.query<{ count: number }>(
    `WITH ${claimsCte(ref)} SELECT count(*)::int AS count FROM (SELECT 1 FROM outbox_console.delivery d
       WHERE d.outbox = $1 AND d.dead_at IS NULL AND d.attempts > 0 AND d.message_id NOT IN (SELECT id FROM claimed WHERE live)
       LIMIT ${COUNT_CAP + 1}) failed`,
    [ref.name],
  );
  const count = result.rows[0]?.count ?? 0;
  return count > COUNT_CAP ? { value: COUNT_CAP, precision: "capped" } : exact(count);
}
