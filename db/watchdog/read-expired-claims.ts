import type { PoolClient } from "pg";
import type { ExpiredClaims } from "#domain/diagnosis/facts.ts";
import type { OutboxRef } from "../outbox/outbox-ref.ts";
import {
  columnSql,
  instantExpression,
  instantText,
  quoteTable,
  statusIn,
  unsentPredicate,
} from "../outbox/postgres/mapping-sql.ts";
import { claimLivesSql } from "../outbox/postgres/message-sql.ts";
import { wouldScan } from "../outbox/postgres/query-cost.ts";

const CAP = 10_000;

/** Claims of our relay whose owner holds no lease any more. */
const OUR_CLAIMS_SQL = `
SELECT count(*)::int AS claims, coalesce(sum(cardinality(c.message_ids)), 0)::int AS messages,
  ${instantText("min(c.started_at)")} AS "oldestAt", coalesce(array_agg(DISTINCT c.owner), '{}') AS owners
FROM outbox_console.claim c
WHERE c.outbox = $1 AND NOT ${claimLivesSql("c")} AND c.started_at < clock_timestamp() - make_interval(secs => $2)`;

/** Claims that their owner has left behind, ours or those that the table itself records. */
export async function readExpiredClaims(
  client: PoolClient,
  ref: OutboxRef,
  graceSeconds: number,
): Promise<ExpiredClaims | null> {
  if (ref.mapping.columns.lockedUntil) return readNativeClaims(client, ref, graceSeconds);
  const marked = await readMarkedClaims(client, ref);
  if (marked) return marked;
  if (!ref.storeSide) return null;
  const { rows } = await client.query<ExpiredClaims>(OUR_CLAIMS_SQL, [ref.name, graceSeconds]);
  return rows[0] ?? null;
}

/** A status says who works on a message, and nothing says since when: one that was written so long ago does not move. */
const MARKED_SECONDS = 300;

/** Claims that are only a word of the status column, over messages that are older than any claim should be. */
async function readMarkedClaims(client: PoolClient, { mapping }: OutboxRef): Promise<ExpiredClaims | null> {
  const { lifecycle, columns } = mapping;
  if (lifecycle.kind !== "status" || lifecycle.inFlight.length === 0 || !columns.createdAt) return null;
  const created = instantExpression(columns.createdAt, "t");
  const sql = `SELECT count(*)::int AS claims, count(*)::int AS messages, ${instantText("min(created)")} AS "oldestAt", '{}'::text[] AS owners
    FROM (SELECT ${created} AS created FROM ${quoteTable(mapping.table)} t
      WHERE ${statusIn(lifecycle.column, lifecycle.inFlight, "t")} AND ${created} < clock_timestamp() - make_interval(secs => $1) LIMIT ${CAP}) marked`;
  if (await wouldScan(client, sql, [MARKED_SECONDS])) return null;
  const { rows } = await client.query<ExpiredClaims>(sql, [MARKED_SECONDS]);
  return rows[0] && rows[0].claims > 0 ? rows[0] : null;
}

async function readNativeClaims(
  client: PoolClient,
  ref: OutboxRef,
  graceSeconds: number,
): Promise<ExpiredClaims | null> {
  const { lockedUntil, lockedBy } = ref.mapping.columns;
  if (!lockedUntil) return null;
  const until = instantExpression(lockedUntil, "t");
  const owner = lockedBy ? `${columnSql(lockedBy, "t")}::text` : "NULL::text";
  const sql = `SELECT count(*)::int AS claims, count(*)::int AS messages, ${instantText("min(until)")} AS "oldestAt",
      coalesce((array_agg(DISTINCT owner) FILTER (WHERE owner IS NOT NULL))[1:5], '{}') AS owners
    FROM (SELECT ${until} AS until, ${owner} AS owner FROM ${quoteTable(ref.mapping.table)} t
      WHERE ${unsentPredicate(ref.mapping, "t")} AND ${until} < clock_timestamp() - make_interval(secs => $1) LIMIT ${CAP}) expired`;
  if (await wouldScan(client, sql, [graceSeconds])) return null;
  const { rows } = await client.query<ExpiredClaims>(sql, [graceSeconds]);
  return rows[0] ?? null;
}
