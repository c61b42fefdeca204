import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { errorCode } from "#db/stores/shared/connection/driver-error.ts";
import type { FactLimits, GatheredFacts, WatchedFacts } from "../../port/outbox-watch.ts";
import { hasSpare } from "../connection/pool.ts";
import type { StorePools } from "../connection/store-pools.ts";
import { type OwnRead, readInTurn } from "../connection/transaction.ts";
import { readBlockedAggregates } from "./read-blocked-aggregates.ts";
import { readConnectorSlot } from "./read-connector-slot.ts";
import { readDeadGroups } from "./read-dead-groups.ts";
import { readDetached } from "./read-detached.ts";
import { readExpiredClaims } from "./read-expired-claims.ts";
import { readForeignSlots } from "./read-foreign-slots.ts";
import { readFreshMarks } from "./read-fresh-marks.ts";
import { readClockSkew, readScheduledFar } from "./read-future-messages.ts";
import { readLockHolders } from "./read-lock-holders.ts";
import { readLogReaders } from "./read-log-readers.ts";
import { readNumberedColumns } from "./read-numbered-columns.ts";
import { readOldTransactions } from "./read-old-transactions.ts";
import { readOrderless } from "./read-orderless.ts";
import { readWaiting } from "./read-overdue.ts";
import { readPartitionFacts } from "./read-partition-facts.ts";
import { readRelayScans } from "./read-relay-scans.ts";
import { readReplaced } from "./read-replaced.ts";
import { readUnknownWords } from "./read-unknown-words.ts";
import { readWaitingByType } from "./read-waiting-by-type.ts";

const READ_TIMEOUT_MS = 2_000;
const LOCKED = "55P03";
/** How long a fact waits for a lock after another has waited in vain, ms. */
const BESIDE_LOCK_TIMEOUT_MS = 250;

type Readers = { [Name in keyof WatchedFacts]: (client: PoolClient) => Promise<WatchedFacts[Name]> };

/**
 * Reads each fact in its own short transaction: one that times out or waits for a lock does not affect the others. Most
 * read the outbox table: while that is locked, only the first waits 1 s for it, so that other outboxes get their turn.
 * Reads two facts in parallel while connections are left for other reads. Throws the connection's error if the database
 * does not answer.
 */
export async function gatherFacts(
  pools: Pick<StorePools, "reads" | "writes">,
  ref: OutboxRef,
  limits: FactLimits,
): Promise<GatheredFacts> {
  const pool = pools.reads();
  const readers: Readers = {
    // Locks first: they explain why later facts could not be read.
    lockHolders: (client) => readLockHolders(client, ref, limits.lockHeldSeconds),
    // The longest read comes first, so that the others run in parallel.
    dead: (client) => readDeadGroups(client, ref),
    oldTransactions: (client) => readOldTransactions(client, limits.oldTransactionSeconds),
    expiredClaims: (client) => readExpiredClaims(client, ref, limits.claimGraceSeconds),
    waiting: (client) => readWaiting(client, ref, limits.overdueSeconds),
    blocked: (client) => readBlockedAggregates(client, ref),
    foreignSlots: (client) => readForeignSlots(client, ref, limits.configuredSlots),
    connectorSlot: (client) => readConnectorSlot(client, limits.connectorSlot ?? null),
    logReaders: (client) => readLogReaders(client, ref),
    freshMarks: async (client) => (limits.connector ? readFreshMarks(client, ref) : null),
    // A slot has every committed row, whatever the settings are.
    hidingSettings: async () => [],
    waitingByType: (client) => readWaitingByType(client, ref),
    scheduledFar: (client) => readScheduledFar(client, ref, limits.scheduledFarSeconds),
    orderless: (client) => readOrderless(client, ref),
    clockSkew: (client) => readClockSkew(client, ref, limits.clockSkewSeconds),
    leftBehind: async (client) =>
      (await readReplaced(client, pools.writes, ref)) ?? readDetached(client, pools.writes, ref),
    unknownWords: (client) => readUnknownWords(client, ref),
    relayScans: (client) => readRelayScans(client, ref, limits.relay),
    partitions: (client) => readPartitionFacts(client, ref),
    numberedColumns: (client) => readNumberedColumns(client, ref),
  };
  const facts: Partial<WatchedFacts> = {};
  const unread: GatheredFacts["unread"] = [];
  let tookMs = 0;
  let isLocked = false;
  const read = async <Name extends keyof WatchedFacts>(fact: Name, client: PoolClient) => {
    const startedMs = performance.now();
    facts[fact] = await readers[fact](client);
    // A failed read is not counted: a lock timeout cost the database nothing.
    tookMs += performance.now() - startedMs;
  };
  const left = Object.keys(readers) as (keyof WatchedFacts)[];
  const next = (): OwnRead | undefined => {
    const fact = left.shift();
    if (fact === undefined) return undefined;
    const failed = (error: unknown) => {
      if (errorCode(error) === LOCKED) isLocked = true;
      unread.push({ fact, error });
    };
    return {
      work: (client) => read(fact, client),
      failed,
      lockTimeoutMs: isLocked ? BESIDE_LOCK_TIMEOUT_MS : undefined,
    };
  };
  const first = readInTurn(pool, READ_TIMEOUT_MS, next);
  await Promise.all([first, hasSpare(pool) ? readInTurn(pool, READ_TIMEOUT_MS, next) : undefined]);
  return { facts, unread, tookMs };
}
