import type { LoggedRow } from "./read-log.ts";

/** A row of the first transaction after a connector's place. */
export interface RowOfFirst extends LoggedRow {
  /** Number of its event among those with rows of the table, from 0. */
  order: number;
}

export type IsSent = (row: RowOfFirst) => boolean;

/**
 * Rows of the first transaction after a connector's place that it has not sent, or may not have sent. `isSent` is null
 * if the place does not show which rows were sent.
 */
export function judgeSent(rows: readonly RowOfFirst[], isSent: IsSent | null): { behind: string[]; doubtful: number } {
  if (isSent === null) return { behind: rows.map(({ id }) => id), doubtful: rows.length };
  return { behind: rows.filter((row) => !isSent(row)).map(({ id }) => id), doubtful: 0 };
}
