import type { Pool, PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { FactName, StoreFacts } from "#domain/diagnosis/facts.ts";
import { isConnectionError } from "../connection/database-error.ts";
import { withReadTransaction } from "../connection/transaction.ts";
import { readBlockedAggregates } from "./read-blocked-aggregates.ts";
import { readDeadGroups } from "./read-dead-groups.ts";
import { readExpiredClaims } from "./read-expired-claims.ts";
import { readForeignSlots } from "./read-foreign-slots.ts";
import { readClockSkew, readScheduledFar } from "./read-future-messages.ts";
import { readLockHolders } from "./read-lock-holders.ts";
import { readOldTransactions } from "./read-old-transactions.ts";
import { readWaiting } from "./read-overdue.ts";
import { readRelayScans } from "./read-relay-scans.ts";
import { readUnknownWords } from "./read-unknown-words.ts";
import { readWaitingByType } from "./read-waiting-by-type.ts";

const READ_TIMEOUT_MS = 2_000;

export interface FactLimits {
  overdueSeconds: number;
  claimGraceSeconds: number;
  lockHeldSeconds: number;
  oldTransactionSeconds: number;
  scheduledFarSeconds: number;
  clockSkewSeconds: number;
  /** Whether messages of one aggregate go in order; null without a relay of ours. */
  relay: { lanes: boolean } | null;
}

/** Facts that are read from the tables one by one; the others come with the snapshot or from the console side. */
export type WatchedFacts = Omit<StoreFacts, "relays" | "monitor" | "consoleClock" | "mappingStop">;

export interface GatheredFacts {
  /** What could be read; a fact that is missing was not, and nothing may be concluded from that. */
  facts: Partial<WatchedFacts>;
  unread: { fact: FactName; error: unknown }[];
  /** How long connections were held for it; waiting for one costs the database nothing. */
  tookMs: number;
}

type Readers = { [Name in keyof WatchedFacts]: (client: PoolClient) => Promise<WatchedFacts[Name]> };

/**
 * Reads every fact in a short transaction of its own: one that takes too long or waits for a lock takes no other with
 * it. Throws what the connection threw when the database does not answer.
 */
export async function gatherFacts(pool: Pool, ref: OutboxRef, limits: FactLimits): Promise<GatheredFacts> {
  const readers: Readers = {
    // Locks first: they explain why a later one could not be read.
    lockHolders: (client) => readLockHolders(client, ref, limits.lockHeldSeconds),
    oldTransactions: (client) => readOldTransactions(client, limits.oldTransactionSeconds),
    expiredClaims: (client) => readExpiredClaims(client, ref, limits.claimGraceSeconds),
    waiting: (client) => readWaiting(client, ref, limits.overdueSeconds),
    blocked: (client) => readBlockedAggregates(client, ref),
    dead: (client) => readDeadGroups(client, ref),
    foreignSlots: (client) => readForeignSlots(client, ref),
    waitingByType: (client) => readWaitingByType(client, ref),
    scheduledFar: (client) => readScheduledFar(client, ref, limits.scheduledFarSeconds),
    clockSkew: (client) => readClockSkew(client, ref, limits.clockSkewSeconds),
    unknownWords: (client) => readUnknownWords(client, ref),
    relayScans: (client) => readRelayScans(client, ref, limits.relay),
  };
  const facts: Partial<WatchedFacts> = {};
  const unread: GatheredFacts["unread"] = [];
  let tookMs = 0;
  const read = async <Name extends keyof WatchedFacts>(fact: Name) => {
    try {
      facts[fact] = await withReadTransaction(pool, READ_TIMEOUT_MS, async (client) => {
        const startedMs = performance.now();
        const read = await readers[fact](client);
        // One that waited in vain for a lock cost the database nothing.
        tookMs += performance.now() - startedMs;
        return read;
      });
    } catch (error) {
      if (isConnectionError(error)) throw error;
      unread.push({ fact, error });
    }
  };
  for (const fact of Object.keys(readers) as (keyof WatchedFacts)[]) await read(fact);
  return { facts, unread, tookMs };
}
