import type { Pool, PoolClient } from "pg";
import type { OutboxRef } from "../outbox/outbox-ref.ts";
import { isConnectionError } from "../postgres/database-error.ts";
import { withReadTransaction } from "../postgres/transaction.ts";
import type { FactName, StoreFacts } from "./facts.ts";
import { readBlockedAggregates } from "./read-blocked-aggregates.ts";
import { readExpiredClaims } from "./read-expired-claims.ts";
import { readClockSkew, readScheduledFar } from "./read-future-messages.ts";
import { readLockHolders } from "./read-lock-holders.ts";
import { readOldTransactions } from "./read-old-transactions.ts";
import { readRelays } from "./read-relays.ts";
import { readUnknownWords } from "./read-unknown-words.ts";
import { readUnroutable } from "./read-unroutable.ts";
import { readWaiting } from "./read-waiting.ts";

const READ_TIMEOUT_MS = 2_000;

export interface FactLimits {
  overdueSeconds: number;
  claimGraceSeconds: number;
  lockHeldSeconds: number;
  oldTransactionSeconds: number;
  scheduledFarSeconds: number;
  clockSkewSeconds: number;
}

export interface GatheredFacts {
  /** What could be read; a fact that is missing was not, and nothing may be concluded from that. */
  facts: Partial<StoreFacts>;
  unread: { fact: FactName; error: unknown }[];
  /** The database's clock. */
  asOf: string;
}

type Readers = { [Name in FactName]: (client: PoolClient) => Promise<StoreFacts[Name]> };

/**
 * Reads every fact in a short transaction of its own: one that takes too long or waits for a lock takes no other with
 * it. Throws what the connection threw when the database does not answer.
 */
export async function gatherFacts(pool: Pool, ref: OutboxRef, limits: FactLimits): Promise<GatheredFacts> {
  const readers: Readers = {
    // Locks first: they explain why a later one could not be read.
    lockHolders: (client) => readLockHolders(client, ref, limits.lockHeldSeconds),
    oldTransactions: (client) => readOldTransactions(client, limits.oldTransactionSeconds),
    relays: (client) => readRelays(client, ref),
    expiredClaims: (client) => readExpiredClaims(client, ref, limits.claimGraceSeconds),
    waiting: (client) => readWaiting(client, ref, limits.overdueSeconds),
    blocked: (client) => readBlockedAggregates(client, ref),
    scheduledFar: (client) => readScheduledFar(client, ref, limits.scheduledFarSeconds),
    clockSkew: (client) => readClockSkew(client, ref, limits.clockSkewSeconds),
    unknownWords: (client) => readUnknownWords(client, ref),
    unroutable: (client) => readUnroutable(client, ref),
  };
  const facts: Partial<StoreFacts> = {};
  const unread: GatheredFacts["unread"] = [];
  const read = async <Name extends FactName>(fact: Name) => {
    try {
      facts[fact] = await withReadTransaction(pool, READ_TIMEOUT_MS, readers[fact]);
    } catch (error) {
      if (isConnectionError(error)) throw error;
      unread.push({ fact, error });
    }
  };
  for (const fact of Object.keys(readers) as FactName[]) await read(fact);
  const now = await pool.query<{ now: string }>(
    `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS now`,
  );
  return { facts, unread, asOf: now.rows[0]?.now ?? new Date().toISOString() };
}
