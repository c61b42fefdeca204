import { and, eq, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ScanRefused } from "#db/stores/port/scan-refused.ts";
import { claimEnd, claimUndated, nativeClaimExpired } from "#db/stores/shared/states/claim-predicates.ts";
import { all, NEVER, not } from "#db/stores/shared/states/conditions.ts";
import { unsent } from "#db/stores/shared/states/state-predicates.ts";
import { UNDATED_SECONDS } from "#domain/diagnosis/causes/expired-claim.ts";
import type { ExpiredClaims } from "#domain/diagnosis/facts/messages.ts";
import { queryOn } from "../connection/query-on.ts";
import { partBases, READ_BUDGET } from "../plans/table-access.ts";
import { entriesOf, readGuarded } from "../read/read-entries.ts";
import { instantOf, instantText, textOf } from "../tables/column-values.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { c, claimLives } from "../tables/states/message-state.ts";
import { type BoundedReading, requirePart, requireReading } from "./require-reading.ts";

/** Claims abandoned by their owner: ours, or those recorded in the table itself. */
export async function readExpiredClaims(
  client: PoolClient,
  ref: OutboxRef,
  graceSeconds: number,
): Promise<ExpiredClaims | null> {
  if (claimEnd(outboxTable(ref.mapping))) return readNativeClaims(client, ref, graceSeconds);
  const marked = await readMarkedClaims(client, ref);
  if (marked) return marked;
  return ref.storeSide ? readOurClaims(client, ref, graceSeconds) : null;
}

const before = (seconds: number) => sql`clock_timestamp() - make_interval(secs => ${seconds})`;

/** Claims of our relays whose owner no longer holds a lease. */
async function readOurClaims(
  client: PoolClient,
  { name }: OutboxRef,
  graceSeconds: number,
): Promise<ExpiredClaims | null> {
  const [row] = await queryOn(client)
    .select({
      claims: sql<number>`count(*)::int`,
      messages: sql<number>`coalesce(sum(cardinality(${c.messageIds})), 0)::int`,
      oldestAt: instantText(sql`min(${c.startedAt})`),
      owners: sql<string[]>`coalesce(array_agg(DISTINCT ${c.owner}), '{}')`,
    })
    .from(c)
    .where(and(eq(c.outbox, name), not(claimLives()), sql`${c.startedAt} < ${before(graceSeconds)}`));
  return row ? { ...row, capped: false, claimedAtKnown: true } : null;
}

/**
 * Claims shown only by a status word, on messages older than any claim should be. Their start is unknown: the creation
 * time is no claim time.
 */
async function readMarkedClaims(client: PoolClient, ref: OutboxRef): Promise<ExpiredClaims | null> {
  const { columns } = ref.mapping;
  const outbox = outboxTable(ref.mapping);
  const marked = claimUndated(outbox);
  if (marked === NEVER || !columns.createdAt) return null;
  const reading = await requireReading(client, ref, [marked, ...partBases(ref, "waiting")]);
  const created = instantOf(outbox, columns.createdAt);
  const found = await countClaims(client, ref, reading, {
    where: all(marked, sql`${created} < ${before(UNDATED_SECONDS)}`),
    at: created,
    owner: sql`NULL::text`,
  });
  return found.claims > 0 ? { ...found, claimedAtKnown: false } : null;
}

async function readNativeClaims(
  client: PoolClient,
  ref: OutboxRef,
  graceSeconds: number,
): Promise<ExpiredClaims | null> {
  const { lifecycle, columns } = ref.mapping;
  const outbox = outboxTable(ref.mapping);
  const until = claimEnd(outbox);
  if (!until) return null;
  const reading = await requirePart(client, ref, "waiting");
  const found = await countClaims(client, ref, reading, {
    where: all(
      lifecycle.kind === "rules" ? nativeClaimExpired(outbox) : unsent(outbox),
      sql`${until} < ${before(graceSeconds)}`,
    ),
    at: until,
    owner: textOf(outbox, columns.lockedBy),
  });
  return { ...found, claimedAtKnown: true };
}

interface ClaimQuestion {
  /** Condition of the claimed rows. */
  where: SQL;
  at: SQL;
  owner: SQL;
}

/** Counts claimed rows among the entries. Throws ScanRefused if there is none and not all entries were read. */
async function countClaims(
  client: PoolClient,
  ref: OutboxRef,
  reading: BoundedReading,
  { where, at, owner }: ClaimQuestion,
): Promise<Omit<ExpiredClaims, "claimedAtKnown">> {
  const db = queryOn(client);
  const entry = db
    .select({
      claimed: sql`coalesce(${where}, false)`.as("claimed"),
      at: sql`${at}`.as("at"),
      owner: sql`${owner}`.as("owner"),
    })
    .from(entriesOf(client, ref, reading, []) as PgTable)
    .as("entry");
  const query = db
    .select({
      looked: sql<number>`count(*)::int`,
      claims: sql<number>`count(*) FILTER (WHERE claimed)::int`,
      oldestAt: instantText(sql`min(at) FILTER (WHERE claimed)`),
      owners: sql<
        string[]
      >`coalesce((array_agg(DISTINCT owner) FILTER (WHERE claimed AND owner IS NOT NULL))[1:5], '{}')`,
    })
    .from(entry);
  const [row] = await readGuarded(client, reading, () => query);
  const { looked, ...found } = row ?? { looked: 0, claims: 0, oldestAt: null, owners: [] };
  const capped = reading.kind === "index" && looked >= READ_BUDGET;
  if (capped && found.claims === 0)
    throw new ScanRefused(`None is among the first ${READ_BUDGET} messages, and there are more.`);
  return { ...found, messages: found.claims, capped };
}
