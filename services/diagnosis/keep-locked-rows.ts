import type { LockHolder } from "#domain/diagnosis/facts.ts";

/** The start of a transaction is read from a timer, in whole seconds. */
const SAME_START_MS = 2_000;

/**
 * Fills in how many waiting rows a session has locked where they could not be counted now, from the last reading: locks
 * end with their transaction, so while it goes on they are still held.
 */
export function keepLockedRows(now: readonly LockHolder[], before: readonly LockHolder[]): LockHolder[] {
  return now.map((holder) => {
    if (holder.rows !== null) return holder;
    const known = before.find((one) => isSame(one, holder) && startedTogether(one, holder));
    return { ...holder, rows: known?.rows ?? null };
  });
}

function isSame(one: LockHolder, other: LockHolder): boolean {
  return one.pid === other.pid && one.preparedId === other.preparedId;
}

function startedTogether(one: LockHolder, other: LockHolder): boolean {
  return Math.abs(Date.parse(one.transactionAt) - Date.parse(other.transactionAt)) <= SAME_START_MS;
}
