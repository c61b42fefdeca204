import type { LoggedRow } from "./read-log.ts";

/** How much a connector has sent of the transaction in which its place lies. */
export interface SentPart {
  /** Events that end here or earlier were sent completely. */
  upTo: number;
  /** Where the next event ends, and how many of its rows were sent. */
  next: { end: number; rows: number };
}

/**
 * Rows of the first transaction after a connector's place that it has not sent, or may not have sent. `part` is null if
 * the place does not show which rows were sent.
 */
export function judgeSent(rows: readonly LoggedRow[], part: SentPart | null): { behind: string[]; doubtful: number } {
  if (part === null) return { behind: rows.map(({ id }) => id), doubtful: rows.length };
  const isSent = ({ end, index }: LoggedRow) => end <= part.upTo || (end === part.next.end && index < part.next.rows);
  return { behind: rows.filter((row) => !isSent(row)).map(({ id }) => id), doubtful: 0 };
}
