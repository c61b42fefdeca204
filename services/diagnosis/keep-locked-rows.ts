import type { LockHolder } from "#domain/diagnosis/facts/sessions.ts";

/** The start of a transaction is read from a timer, in whole seconds. */
const SAME_START_MS = 2_000;

/**
 * Fills in unknown values from the last reading: the number of waiting rows that a session has locked, because its
 * locks last as long as its transaction; and the start of a lock that outlives transactions.
 */
export function keepLockedRows(now: readonly LockHolder[], before: readonly LockHolder[]): LockHolder[] {
  return now.map((read) => {
    const holder = { ...read, transactionAt: earliest(read, before) };
    if (holder.rows !== null) return holder;
    const known = before.find((one) => isSame(one, holder) && startedTogether(one, holder));
    return { ...holder, rows: known?.rows ?? null };
  });
}

function earliest(holder: LockHolder, before: readonly LockHolder[]): string {
  const { transactionAt, unlockStatement, mode } = holder;
  if (unlockStatement === undefined) return transactionAt;
  const known = before.find((one) => isSame(one, holder) && one.mode === mode);
  return known && known.transactionAt < transactionAt ? known.transactionAt : transactionAt;
}

function isSame(one: LockHolder, other: LockHolder): boolean {
  return one.pid === other.pid && one.preparedId === other.preparedId;
}

function startedTogether(one: LockHolder, other: LockHolder): boolean {
  return Math.abs(Date.parse(one.transactionAt) - Date.parse(other.transactionAt)) <= SAME_START_MS;
}
