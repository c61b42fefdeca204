import type { Lsn } from "../replication/lsn.ts";

/** A committed transaction as the log has it, with the rows of the outbox that it inserted. */
export interface LoggedTransaction {
  /** Transaction id modulo 2^32. */
  xid: number;
  /** End of its commit. */
  endLsn: Lsn;
  /** In the order of the log; rows that one COPY inserted share a position. */
  rows: { lsn: Lsn; id: string }[];
}

export interface Place {
  commit: Lsn | null;
  change: Lsn | null;
  xid: number | null;
}

/** `behind`: ids that were not sent, or may not have been; `doubtful` counts the latter. */
export interface Judged {
  behind: string[];
  doubtful: number;
}

/**
 * The rows of one transaction that a reader at `place` has not sent. The log gives transactions in the order of their
 * commits, so positions of changes only compare within one transaction.
 */
export function judgeSent({ xid, endLsn, rows }: LoggedTransaction, place: Place): Judged {
  const { commit, change } = place;
  if (commit !== null && endLsn <= commit) return { behind: [], doubtful: 0 };
  const ids = rows.map(({ id }) => id);
  if (change === null) return { behind: ids, doubtful: ids.length };
  if (place.xid !== xid) return { behind: ids, doubtful: 0 };
  const last = rows.filter(({ lsn }) => lsn === change);
  const shared = last.length > 1 ? last.length : 0;
  const behind = rows.filter(({ lsn }) => lsn > change || (shared > 0 && lsn === change));
  return { behind: behind.map(({ id }) => id), doubtful: shared };
}
