import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { LockHolder } from "#domain/diagnosis/facts/sessions.ts";
import type { Session } from "../../connection/session.ts";
import { readFreshTransactions } from "./innodb-transactions.ts";
import { countLockedRows } from "./locked-rows.ts";
import { type MetadataLocks, queueOf, type TableLock } from "./metadata-locks.ts";
import { namePrepared } from "./prepared-names.ts";
import { type RowWait, readRowWaits } from "./row-waits.ts";

/**
 * Prepared transactions that have locked rows of the table: their locks belong to no session. `orphans` are locks of
 * threads that are gone, as a session leaves them for a moment when it ends. Needs PROCESS. Throws StaleReadingError.
 */
export async function readPreparedHolders(
  session: Session,
  ref: OutboxRef,
  { locks, orphans, heldSeconds }: { locks: MetadataLocks; orphans: readonly TableLock[]; heldSeconds: number },
): Promise<LockHolder[]> {
  if (orphans.length === 0) return [];
  const detached = (await readFreshTransactions(session)).filter(({ isDetached }) => isDetached);
  const names = await namePrepared(session, detached);
  const waits = await readRowWaits(session, ref.mapping.table);
  const holders: LockHolder[] = [];
  for (const { id, startedAt, ageSeconds } of detached) {
    const lock = orphans.find(({ transaction }) => transaction === id);
    const name = names.get(id);
    if (!lock || !name || ageSeconds < heldSeconds) continue;
    const queue = locks.orphans.some(({ thread }) => thread === lock.thread) ? queueOf(locks) : null;
    const wholeTable = (queue?.sessions.length ?? 0) > 0;
    holders.push({
      ...{ pid: null, ...name, user: null, applicationName: null, clientAddress: null, state: "prepared" },
      ...{ transactionAt: startedAt, queryAt: null, query: null, mode: lock.mode },
      ...{ wholeTable, keepsOutReaders: queue?.waitsForReaders ?? false },
      rows: wholeTable ? 0 : await countLockedRows(session, ref.mapping, [id]),
      blockedPids: waitingFor(id, waits, wholeTable ? locks.pending : []),
    });
  }
  return holders;
}

/** Connections that wait for a row of the transaction, or behind it for the table. */
function waitingFor(transaction: string, waits: readonly RowWait[], pending: MetadataLocks["pending"]): number[] {
  const forRows = waits.filter((wait) => wait.transaction === transaction).map((wait) => wait.waiting);
  return [...new Set([...forRows, ...pending.map(({ connection }) => connection)])].toSorted(
    (one, other) => one - other,
  );
}
