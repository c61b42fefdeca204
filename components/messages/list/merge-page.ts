import type { MessageSummary } from "#contracts/message/messages.ts";

/** Fields needed to keep a row in place. */
export interface Listed {
  id: string;
  ageSeconds: number | null;
}

export interface ShownRow<Row extends Listed = MessageSummary> {
  message: Row;
  /** The row no longer matches; it stays in place, greyed, until the operator reloads the list. */
  gone: boolean;
}

export interface MergedPage<Row extends Listed = Listed> {
  rows: readonly ShownRow<Row>[];
  arrivals: number;
  /** Every row of a full page is new, so the count is a lower bound. */
  arrivalsCapped: boolean;
}

interface MergeInput<Row extends Listed> {
  /** Rows in the operator's order. */
  held: readonly Row[];
  fresh: readonly Row[];
  /** More rows follow the fresh page, so a missing row may only have been pushed further down. */
  hasMore: boolean;
  /** Time between the two readings, by which a row that was not read again has aged. */
  elapsedSeconds?: number;
}

/** Updates the rows on screen without moving any; new rows are counted, not shown. */
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

/** No row on screen is worth keeping in place: the new list replaces them. */
export function isSpent(page: MergedPage): boolean {
  return page.rows.every((row) => row.gone);
}

/** Rows on screen that still belong to the list. */
export function countPresent(rows: readonly Pick<ShownRow, "gone">[]): number {
  return rows.filter((row) => !row.gone).length;
}

function grown<Row extends Listed>(message: Row, seconds: number): Row {
  if (message.ageSeconds === null || seconds <= 0) return message;
  return { ...message, ageSeconds: message.ageSeconds + seconds };
}
