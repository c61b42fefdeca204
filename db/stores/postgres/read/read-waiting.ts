import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { READ_BUDGET, type Reading, readingOf } from "../plans/table-access.ts";
import {
  columnSql,
  instantExpression,
  instantText,
  messageIdExpression,
  orderColumn,
  quoteTable,
  unsentPredicate,
} from "../tables/mapping-sql.ts";
import { claimLivesSql, claimsCte, dueSinceExpression, fromTable } from "../tables/message-sql.ts";
import { COUNT_CAP, type CountFigure } from "./count-figure.ts";
import { countParts } from "./count-parts.ts";
import { entriesOf, entryOrder, readGuarded } from "./read-entries.ts";

export interface Waiting {
  /** `dueAt` is RFC 3339. */
  oldest: { id: string; ageSeconds: number; dueAt: string } | null;
  /** False where finding the oldest would read too much: what is named then is the oldest of what was read. */
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

/** Ages of what waits, and what it waits for. The oldest is over due messages, in flight included: one that is stuck in a claim waits too. */
export async function readWaiting(client: PoolClient, ref: OutboxRef): Promise<Waiting> {
  const { mapping } = ref;
  const scheduledAt = scheduleOf(ref);
  const reading = await readingOf(client, ref, "waiting");
  const row = reading.kind === "none" ? undefined : await readOldest(client, ref, reading);
  const { scheduled } = await countParts(client, ref, {
    scheduled: {
      part: "waiting",
      where: scheduledAt ? `${unsentPredicate(mapping, "t")} AND ${scheduledAt} > clock_timestamp()` : "false",
    },
  });
  return {
    oldest:
      row && row.ageSeconds !== null && row.dueAt !== null
        ? { id: row.id, ageSeconds: Math.max(0, row.ageSeconds), dueAt: row.dueAt }
        : null,
    // Without a time of creation what waits has no age.
    oldestKnown: row?.ageSeconds !== null && (await isOldest(client, ref, reading, row)),
    scheduled,
    ...(ref.storeSide
      ? await readBeside(client, ref, reading)
      : {
          nextRetryInSeconds: null,
          blocked: { messages: 0, capped: false, aggregates: 0, oldestAgeSeconds: null },
          deadLast24h: null,
          oldestClaimSeconds: null,
        }),
    asOf: await databaseClock(client),
  };
}

function scheduleOf({ mapping }: OutboxRef): string | null {
  const { availableAt, attempts } = mapping.columns;
  return availableAt && !attempts ? instantExpression(availableAt, "t") : null;
}

interface OldestRow {
  id: string;
  ageSeconds: number | null;
  dueAt: string | null;
}

/**
 * Index: the partial one of what waits, in its order. Of an index that holds other rows too, the newest entries up to the
 * budget are read: what was given up on is older, and what is found is at least as old as that.
 */
async function readOldest(client: PoolClient, ref: OutboxRef, reading: Reading): Promise<OldestRow | undefined> {
  const { mapping } = ref;
  const scheduledAt = scheduleOf(ref);
  const order = columnSql(orderColumn(mapping), "t");
  const sql = `WITH ${claimsCte(ref)}
     SELECT id, "ageSeconds", "dueAt" FROM (
       SELECT ${messageIdExpression(mapping, "t")} AS id, extract(epoch FROM clock_timestamp() - ${dueSinceExpression(mapping)})::float8 AS "ageSeconds",
         ${instantText(dueSinceExpression(mapping))} AS "dueAt"
       FROM ${fromTable(ref, entriesOf(ref, reading, entryOrder(reading, order)))} WHERE ${unsentPredicate(mapping, "t")} ${ref.storeSide ? "AND d.dead_at IS NULL" : ""}
         ${scheduledAt ? `AND coalesce(${scheduledAt} <= clock_timestamp(), true)` : ""}
       ORDER BY ${order} LIMIT ${OLDEST_WINDOW}) window_
     ORDER BY "ageSeconds" DESC NULLS LAST LIMIT 1`;
  return readGuarded(client, reading, async () => (await client.query<OldestRow>(sql, [ref.name])).rows[0]);
}

/** Whether what was found is the oldest: entries that come in order, or all of them. */
async function isOldest(
  client: PoolClient,
  ref: OutboxRef,
  reading: Reading,
  row: OldestRow | undefined,
): Promise<boolean> {
  if (reading.kind !== "index") return reading.kind === "whole";
  const { exact, ordered } = reading.access;
  return (row !== undefined && exact && ordered) || !(await isLonger(client, ref, reading));
}

/** Whether there are more entries than the budget. */
async function isLonger(client: PoolClient, ref: OutboxRef, reading: Reading): Promise<boolean> {
  if (reading.kind !== "index") return false;
  const sql = `SELECT 1 FROM ${quoteTable(ref.mapping.table)} t WHERE ${reading.access.predicate} OFFSET ${READ_BUDGET} LIMIT 1`;
  return readGuarded(client, reading, async () => ((await client.query(sql)).rowCount ?? 0) > 0);
}

/** The database's time; on a replica, of the last transaction it has replayed: what it shows is as of then. */
export async function databaseClock(client: PoolClient): Promise<string> {
  return (await databaseClocks(client)).asOf;
}

/** `asOf` as databaseClock; `clockAt` is the server's own clock at the moment of asking, on a replica too. */
export async function databaseClocks(client: PoolClient): Promise<{ asOf: string; clockAt: string }> {
  const { rows } = await client.query<{ asOf: string; clockAt: string }>(
    `SELECT ${instantText("CASE WHEN pg_is_in_recovery() THEN coalesce(pg_last_xact_replay_timestamp(), at) ELSE at END")} AS "asOf",
       ${instantText("at")} AS "clockAt" FROM (SELECT clock_timestamp() AS at OFFSET 0) clock`,
  );
  return rows[0] ?? { asOf: "", clockAt: "" };
}

async function readBeside(
  client: PoolClient,
  ref: OutboxRef,
  reading: Reading,
): Promise<Pick<Waiting, "nextRetryInSeconds" | "blocked" | "deadLast24h" | "oldestClaimSeconds">> {
  const head = await client.query<{
    nextRetryInSeconds: number | null;
    deadLast24h: number;
    heads: number;
    oldestClaimSeconds: number | null;
  }>(
    `SELECT (SELECT greatest(0, extract(epoch FROM min(next_attempt_at) - clock_timestamp()))::float8 FROM outbox_console.delivery
              WHERE outbox = $1 AND dead_at IS NULL AND next_attempt_at IS NOT NULL) AS "nextRetryInSeconds",
       (SELECT count(*)::int FROM (
          (SELECT 1 FROM outbox_console.dead_letter WHERE outbox = $1 AND dead_at > clock_timestamp() - interval '24 hours' LIMIT ${COUNT_CAP + 1})
          UNION ALL
          (SELECT 1 FROM outbox_console.delivery WHERE outbox = $1 AND dead_at > clock_timestamp() - interval '24 hours' LIMIT ${COUNT_CAP + 1})) died) AS "deadLast24h",
       (SELECT count(DISTINCT aggregate_key)::int FROM outbox_console.delivery WHERE outbox = $1 AND dead_at IS NULL AND attempts > 0 AND next_attempt_at IS NOT NULL) AS heads,
       (SELECT extract(epoch FROM clock_timestamp() - min(c.started_at))::float8 FROM outbox_console.claim c
          WHERE c.outbox = $1 AND ${claimLivesSql("c")}) AS "oldestClaimSeconds"`,
    [ref.name],
  );
  const { nextRetryInSeconds = null, deadLast24h = 0, heads = 0, oldestClaimSeconds = null } = head.rows[0] ?? {};
  const blocked =
    heads > 0
      ? await readBlocked(client, ref, reading)
      : { messages: 0, capped: false, aggregates: 0, oldestAgeSeconds: null };
  return {
    nextRetryInSeconds,
    // What stands here is a number; "at least" would be lost on the way.
    deadLast24h: deadLast24h > COUNT_CAP ? null : deadLast24h,
    blocked,
    oldestClaimSeconds,
  };
}

/** Messages that wait behind a failed head of their aggregate, among the first entries that are looked at. */
async function readBlocked(client: PoolClient, ref: OutboxRef, reading: Reading): Promise<Waiting["blocked"]> {
  const { mapping } = ref;
  const { aggregateId, aggregateType, createdAt } = mapping.columns;
  if (!aggregateId || reading.kind === "none")
    return { messages: 0, capped: reading.kind === "none", aggregates: 0, oldestAgeSeconds: null };
  const key = aggregateType ? `(u.atype || '/' || u.aid)` : "u.aid";
  const sql = `WITH waiting AS (SELECT ${messageIdExpression(mapping, "t")} AS id, ${columnSql(aggregateId, "t")}::text AS aid,
         ${aggregateType ? `${columnSql(aggregateType, "t")}::text` : "NULL::text"} AS atype, ${createdAt ? instantExpression(createdAt, "t") : "NULL::timestamptz"} AS created
       FROM ${entriesOf(ref, reading, null)} t WHERE ${unsentPredicate(mapping, "t")} LIMIT ${COUNT_CAP + 1})
     SELECT count(*)::int AS messages, count(DISTINCT ${key})::int AS aggregates, (SELECT count(*)::int FROM waiting) AS seen,
       extract(epoch FROM clock_timestamp() - min(u.created))::float8 AS oldest
     FROM waiting u WHERE ${key} IN (SELECT aggregate_key FROM outbox_console.delivery WHERE outbox = $1 AND dead_at IS NULL AND attempts > 0 AND next_attempt_at IS NOT NULL)
       AND u.id NOT IN (SELECT message_id FROM outbox_console.delivery WHERE outbox = $1)`;
  type Row = { messages: number; aggregates: number; seen: number; oldest: number | null };
  const row = await readGuarded(client, reading, async () => (await client.query<Row>(sql, [ref.name])).rows[0]);
  return {
    messages: row?.messages ?? 0,
    capped: (row?.seen ?? 0) > COUNT_CAP || (await isLonger(client, ref, reading)),
    aggregates: row?.aggregates ?? 0,
    oldestAgeSeconds: row?.oldest ?? null,
  };
}
