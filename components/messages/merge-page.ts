import type { MessageSummary } from "#contracts/messages.ts";

/** What a row needs to be held in its place. */
export interface Listed {
  id: string;
  ageSeconds: number | null;
}

export interface ShownRow<Row extends Listed = MessageSummary> {
  message: Row;
  /** It no longer matches: the row stays where it was, greyed, until the operator asks for a new list. */
  gone: boolean;
}

export interface MergedPage<Row extends Listed = Listed> {
  rows: readonly ShownRow<Row>[];
  arrivals: number;
  /** Every row of a full page is new: there are at least this many. */
  arrivalsCapped: boolean;
}

interface MergeInput<Row extends Listed> {
  /** The rows in the order in which the operator sees them. */
  held: readonly Row[];
  fresh: readonly Row[];
  /** More rows follow after the fresh page, so a row missing from it may only have been pushed further down. */
  hasMore: boolean;
  /** Time between the two readings: a row that was not read again has grown older all the same. */
  elapsedSeconds?: number;
}

/** Brings new figures into the rows on screen without moving one of them; newcomers are counted, not shown. */
export function mergePage<Row extends Listed>(input: MergeInput<Row>): MergedPage<Row> {
  const { held, fresh, hasMore, elapsedSeconds = 0 } = input;
  const byId = new Map(fresh.map((message) => [message.id, message]));
  const heldIds = new Set(held.map((message) => message.id));
  const lastStaying = held.findLastIndex((message) => byId.has(message.id));
  const rows = held.map((message, index) => {
    const current = byId.get(message.id);
    return {
      message: current ?? grown(message, elapsedSeconds),
      gone: current === undefined && (!hasMore || index < lastStaying),
    };
  });
  const arrivals = fresh.filter((message) => !heldIds.has(message.id)).length;
  return { rows, arrivals, arrivalsCapped: hasMore && fresh.length > 0 && arrivals === fresh.length };
}

/** Nothing on screen is worth holding still: the new list may take its place. */
export function isSpent(page: MergedPage): boolean {
  return page.rows.every((row) => row.gone);
}

function grown<Row extends Listed>(message: Row, seconds: number): Row {
  if (message.ageSeconds === null || seconds <= 0) return message;
  return { ...message, ageSeconds: message.ageSeconds + seconds };
}
