import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ScanRefused } from "#db/stores/port/scan-refused.ts";
import { UNDATED_SECONDS } from "#domain/diagnosis/causes/expired-claim.ts";
import type { ExpiredClaims } from "#domain/diagnosis/facts.ts";
import { partBases, READ_BUDGET } from "../plans/table-access.ts";
import { entriesOf, readGuarded } from "../read/read-entries.ts";
import { columnSql, instantExpression, instantText, statusIn, unsentPredicate } from "../tables/mapping-sql.ts";
import { claimLivesSql } from "../tables/message-sql.ts";
import { type BoundedReading, requirePart, requireReading } from "./require-reading.ts";

/** Claims of our relay whose owner holds no lease any more. */
const OUR_CLAIMS_SQL = `
SELECT count(*)::int AS claims, coalesce(sum(cardinality(c.message_ids)), 0)::int AS messages,
  ${instantText("min(c.started_at)")} AS "oldestAt", coalesce(array_agg(DISTINCT c.owner), '{}') AS owners, false AS capped, true AS "claimedAtKnown"
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

/**
 * Claims that are only a word of the status column, over messages that are older than any claim should be. Since when
 * they are claimed is not known: the creation time is no claim time.
 */
async function readMarkedClaims(client: PoolClient, ref: OutboxRef): Promise<ExpiredClaims | null> {
  const { lifecycle, columns } = ref.mapping;
  if (lifecycle.kind !== "status" || lifecycle.inFlight.length === 0 || !columns.createdAt) return null;
  const marked = statusIn(lifecycle.column, lifecycle.inFlight, "t");
  const reading = await requireReading(client, ref, { bases: [marked, ...partBases(ref, "waiting")] });
  const created = instantExpression(columns.createdAt, "t");
  const found = await countClaims(client, ref, reading, {
    where: `${marked} AND ${created} < clock_timestamp() - make_interval(secs => $1)`,
    at: created,
    owner: "NULL::text",
    seconds: UNDATED_SECONDS,
  });
  return found.claims > 0 ? { ...found, claimedAtKnown: false } : null;
}

async function readNativeClaims(
  client: PoolClient,
  ref: OutboxRef,
  graceSeconds: number,
): Promise<ExpiredClaims | null> {
  const { lockedUntil, lockedBy } = ref.mapping.columns;
  if (!lockedUntil) return null;
  const until = instantExpression(lockedUntil, "t");
  const unsent = unsentPredicate(ref.mapping, "t");
  const reading = await requirePart(client, ref, "waiting");
  const found = await countClaims(client, ref, reading, {
    where: `${unsent} AND ${until} < clock_timestamp() - make_interval(secs => $1)`,
    at: until,
    owner: lockedBy ? `${columnSql(lockedBy, "t")}::text` : "NULL::text",
    seconds: graceSeconds,
  });
  return { ...found, claimedAtKnown: true };
}

interface ClaimQuestion {
  /** The claimed rows; parameter $1 is `seconds`. */
  where: string;
  at: string;
  owner: string;
  seconds: number;
}

/** Claimed rows among the entries. Throws ScanRefused where there is none, and there are more entries. */
async function countClaims(
  client: PoolClient,
  ref: OutboxRef,
  reading: BoundedReading,
  { where, at, owner, seconds }: ClaimQuestion,
): Promise<Omit<ExpiredClaims, "claimedAtKnown">> {
  const sql = `SELECT count(*)::int AS looked, count(*) FILTER (WHERE claimed)::int AS claims, ${instantText("min(at) FILTER (WHERE claimed)")} AS "oldestAt",
      coalesce((array_agg(DISTINCT owner) FILTER (WHERE claimed AND owner IS NOT NULL))[1:5], '{}') AS owners
    FROM (SELECT coalesce(${where}, false) AS claimed, ${at} AS at, ${owner} AS owner FROM ${entriesOf(ref, reading, null)} t) entry`;
  type Row = { looked: number; claims: number; oldestAt: string | null; owners: string[] };
  const row = await readGuarded(client, reading, async () => (await client.query<Row>(sql, [seconds])).rows[0]);
  const { looked, ...found } = row ?? { looked: 0, claims: 0, oldestAt: null, owners: [] };
  const capped = reading.kind === "index" && looked >= READ_BUDGET;
  if (capped && found.claims === 0)
    throw new ScanRefused(`None is among the first ${READ_BUDGET} messages, and there are more.`);
  return { ...found, messages: found.claims, capped };
}
