import { sql } from "drizzle-orm";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { FactLimits, GatheredFacts, WatchedFacts } from "../../port/outbox-watch.ts";
import { isConnectionError, isLockTimeout, isTimeout } from "../connection/database-error.ts";
import type { Pool } from "../connection/pool.ts";
import type { Session } from "../connection/session.ts";
import type { StorePools } from "../connection/store-pools.ts";
import { withReadTransaction } from "../connection/transaction.ts";
import { withKnownIndexes } from "../plans/known-indexes.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { requireZones } from "../tables/zones.ts";
import { readBlockedAggregates } from "./read-blocked-aggregates.ts";
import { readDeadGroups } from "./read-dead-groups.ts";
import { readExpiredClaims } from "./read-expired-claims.ts";
import { readFreshMarks } from "./read-fresh-marks.ts";
import { readClockSkew, readScheduledFar } from "./read-future-messages.ts";
import { readHidingSettings } from "./read-hiding-settings.ts";
import { readNumberedColumns } from "./read-numbered-columns.ts";
import { readOrderless } from "./read-orderless.ts";
import { readWaiting } from "./read-overdue.ts";
import { readRelayScans } from "./read-relay-scans.ts";
import { readReplacedTable } from "./read-replaced-table.ts";
import { readUnknownWords } from "./read-unknown-words.ts";
import { readWaitingByType } from "./read-waiting-by-type.ts";
import { readRecentTransactions } from "./sessions/innodb-transactions.ts";
import { readLockHolders } from "./sessions/read-lock-holders.ts";
import { readOldTransactions } from "./sessions/read-old-transactions.ts";

const READ_TIMEOUT_MS = 2_000;

type Readers = { [Name in keyof WatchedFacts]: (session: Session) => Promise<WatchedFacts[Name]> };

/**
 * Limit of a read while the table is locked: enough for facts from other tables, and for one row of an unlocked table.
 */
const BESIDE_LOCK_TIMEOUT_MS = 250;

/**
 * Reads each fact in its own short transaction: one that times out or waits for a lock does not affect the others. Each
 * waits up to 1 s for a lock, and most read the outbox table: while that is locked, only the first waits so long, so
 * that the lock's holder is found soon. Throws the connection's error if the database does not answer.
 */
export async function gatherFacts(
  pools: Pick<StorePools, "reads" | "writes">,
  ref: OutboxRef,
  limits: FactLimits,
): Promise<GatheredFacts> {
  const pool = pools.reads();
  const readers: Readers = {
    // Locks first: they explain why later facts could not be read.
    lockHolders: (session) => readLockHolders(session, ref, limits.lockHeldSeconds),
    oldTransactions: (session) =>
      readOldTransactions(session, ref, limits.oldTransactionSeconds, (own) =>
        readRecentTransactions(pool, ref.name, own),
      ),
    expiredClaims: (session) => readExpiredClaims(session, ref, limits.claimGraceSeconds),
    waiting: (session) => readWaiting(session, ref, limits.overdueSeconds),
    blocked: (session) => readBlockedAggregates(session, ref),
    dead: (session) => readDeadGroups(session, ref),
    // The server has no slots: it does not keep its log for single readers.
    foreignSlots: () => Promise.resolve([]),
    connectorSlot: () => Promise.resolve(null),
    // The server sends its whole log to every reader.
    logReaders: () => Promise.resolve(null),
    freshMarks: (session) => (limits.connector ? readFreshMarks(session, ref) : Promise.resolve(null)),
    hidingSettings: (session) => (limits.connector ? readHidingSettings(session) : Promise.resolve([])),
    waitingByType: (session) => readWaitingByType(session, ref),
    scheduledFar: (session) => readScheduledFar(session, ref, limits.scheduledFarSeconds),
    orderless: (session) => readOrderless(session, ref),
    clockSkew: (session) => readClockSkew(session, ref, limits.clockSkewSeconds),
    leftBehind: (session) => readReplacedTable(session, pools.writes, ref),
    unknownWords: (session) => readUnknownWords(session, ref),
    relayScans: (session) => readRelayScans(session, ref, limits.relay),
    partitions: async () => null,
    numberedColumns: (session) => readNumberedColumns(session, ref),
  };
  const facts: Partial<WatchedFacts> = {};
  const unread: GatheredFacts["unread"] = [];
  let tookMs = 0;
  /** The error of the first fact that waited for the table's lock. */
  let locked: unknown = null;
  const read = async <Name extends keyof WatchedFacts>(fact: Name) => {
    const limitMs = locked === null ? READ_TIMEOUT_MS : BESIDE_LOCK_TIMEOUT_MS;
    const work = async (session: Session) => {
      const startedMs = performance.now();
      await requireZones(session, ref.mapping);
      const read = await readers[fact](session);
      // A failed read is not counted: a lock timeout cost the database nothing.
      tookMs += performance.now() - startedMs;
      return read;
    };
    try {
      facts[fact] = await withKnownIndexes(ref, () => withReadTransaction(pool, limitMs, work));
    } catch (error) {
      if (isConnectionError(error)) throw error;
      if (locked === null && isLockTimeout(error) && (await isTableLocked(pool, ref))) locked = error;
      unread.push({ fact, error: locked !== null && isTimeout(error) ? locked : error });
    }
  };
  for (const fact of Object.keys(readers) as (keyof WatchedFacts)[]) await read(fact);
  return { facts, unread, tookMs };
}

/** False if the fact waited for a lock on one of our own tables, which other facts do not read. */
async function isTableLocked(pool: Pool, { mapping }: OutboxRef): Promise<boolean> {
  const probe = sql`SELECT 1 FROM ${outboxTable(mapping).table} LIMIT 1`;
  return withReadTransaction(pool, BESIDE_LOCK_TIMEOUT_MS, (session) => session.rows(probe)).then(
    () => false,
    (error: unknown) => isLockTimeout(error) || isTimeout(error),
  );
}
