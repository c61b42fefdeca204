import { and, eq, type SQL, sql } from "drizzle-orm";
import type { MySqlTable } from "drizzle-orm/mysql-core";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ScanRefused } from "#db/stores/port/scan-refused.ts";
import { claimEnd, claimUndated, nativeClaimExpired } from "#db/stores/shared/states/claim-predicates.ts";
import { all, isTrue, NEVER, not } from "#db/stores/shared/states/conditions.ts";
import { unsent } from "#db/stores/shared/states/state-predicates.ts";
import { UNDATED_SECONDS } from "#domain/diagnosis/causes/expired-claim.ts";
import type { ExpiredClaims } from "#domain/diagnosis/facts/messages.ts";
import type { Session } from "../connection/session.ts";
import { READ_BUDGET } from "../plans/table-access.ts";
import { entriesOf } from "../read/read-entries.ts";
import { asNumber, exact, instantOf, instantText, NOW, textOf } from "../tables/column-values.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { c, claimLives, claimOf } from "../tables/states/message-state.ts";
import { type BoundedReading, requirePart } from "./require-reading.ts";

/** Most owners named of claims in the table's own columns. */
const MOST_OWNERS = 5;

/** Claims abandoned by their owner: ours, or those recorded in the table itself. */
export async function readExpiredClaims(
  session: Session,
  ref: OutboxRef,
  graceSeconds: number,
): Promise<ExpiredClaims | null> {
  if (claimEnd(outboxTable(ref.mapping))) return readNativeClaims(session, ref, graceSeconds);
  const marked = await readMarkedClaims(session, ref);
  if (marked) return marked;
  return ref.storeSide ? readOurClaims(session, ref, graceSeconds) : null;
}

const before = (seconds: number) => sql`${NOW} - INTERVAL ${seconds} SECOND`;

/** Claims of our relays whose owner no longer holds a lease. */
async function readOurClaims(session: Session, { name }: OutboxRef, graceSeconds: number): Promise<ExpiredClaims> {
  const rows = await session.db
    .select({
      owner: c.owner,
      claims: asNumber(sql`COUNT(*)`),
      messages: asNumber(sql`SUM(JSON_LENGTH(${c.messageIds}))`),
      oldestAt: instantText(sql`MIN(${c.startedAt})`),
    })
    .from(claimOf(session.own))
    .where(and(eq(c.outbox, name), not(claimLives(session.own)), sql`${c.startedAt} < ${before(graceSeconds)}`))
    .groupBy(c.owner)
    .orderBy(c.owner);
  return {
    claims: sumOf(rows.map(({ claims }) => claims)),
    messages: sumOf(rows.map(({ messages }) => messages)),
    oldestAt: earliestOf(rows.map(({ oldestAt }) => oldestAt)),
    owners: rows.map(({ owner }) => owner),
    capped: false,
    claimedAtKnown: true,
  };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function earliestOf(instants: readonly (string | null)[]): string | null {
  return instants.filter((at) => at !== null).toSorted()[0] ?? null;
}

/**
 * Claims shown only by a status word, on messages older than any claim should be. Their start is unknown: the creation
 * time is no claim time.
 */
async function readMarkedClaims(session: Session, ref: OutboxRef): Promise<ExpiredClaims | null> {
  const { columns } = ref.mapping;
  const outbox = outboxTable(ref.mapping);
  const marked = claimUndated(outbox);
  if (marked === NEVER || !columns.createdAt) return null;
  const reading = await requirePart(session, ref, "waiting");
  const created = instantOf(outbox, columns.createdAt);
  const found = await countClaims(session, ref, reading, {
    where: all(marked, sql`${created} < ${before(UNDATED_SECONDS)}`),
    at: created,
    owner: sql`NULL`,
  });
  return found.claims > 0 ? { ...found, claimedAtKnown: false } : null;
}

async function readNativeClaims(session: Session, ref: OutboxRef, graceSeconds: number): Promise<ExpiredClaims | null> {
  const { lifecycle, columns } = ref.mapping;
  const outbox = outboxTable(ref.mapping);
  const until = claimEnd(outbox);
  if (!until) return null;
  const reading = await requirePart(session, ref, "waiting");
  const found = await countClaims(session, ref, reading, {
    where: all(
      lifecycle.kind === "rules" ? nativeClaimExpired(outbox) : unsent(outbox),
      sql`${until} < ${before(graceSeconds)}`,
    ),
    at: until,
    owner: exact(textOf(outbox, columns.lockedBy)),
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
  session: Session,
  ref: OutboxRef,
  reading: BoundedReading,
  { where, at, owner }: ClaimQuestion,
): Promise<Omit<ExpiredClaims, "claimedAtKnown">> {
  const { db } = session;
  const entry = db
    .select({ claimed: isTrue(where).as("claimed"), at: sql`${at}`.as("at"), owner: sql`${owner}`.as("owner") })
    .from(entriesOf(ref, reading) as unknown as MySqlTable)
    .as("entry");
  const ofClaim = sql<string | null>`CASE WHEN claimed THEN owner END`;
  const rows = await db
    .select({
      owner: ofClaim,
      looked: asNumber(sql`COUNT(*)`),
      claims: asNumber(sql`COUNT(CASE WHEN claimed THEN 1 END)`),
      oldestAt: instantText(sql`MIN(CASE WHEN claimed THEN at END)`),
    })
    .from(entry)
    .groupBy(ofClaim);
  const claims = sumOf(rows.map((row) => row.claims));
  const capped = reading.kind === "index" && sumOf(rows.map(({ looked }) => looked)) >= READ_BUDGET;
  if (capped && claims === 0)
    throw new ScanRefused(`None is among the first ${READ_BUDGET} messages, and there are more.`);
  const owners = rows.flatMap((row) => row.owner ?? []).toSorted();
  return {
    claims,
    messages: claims,
    capped,
    oldestAt: earliestOf(rows.map(({ oldestAt }) => oldestAt)),
    owners: owners.slice(0, MOST_OWNERS),
  };
}
