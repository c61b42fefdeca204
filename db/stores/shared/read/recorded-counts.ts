import type { MessageFilter } from "../../port/message-row.ts";
import type { CountFigure, StateCounts } from "../../port/outbox-figures.ts";
import { UNKNOWN_COUNT } from "./count-figure.ts";

/** Most records of one kind that one query reads: millions may wait. */
export const RECORDS_READ = 10_000;

/**
 * The counts of a table whose progress is kept in the log. A row without a record was published or is not read yet, so
 * the pending messages in the records and the published ones in the columns are lower bounds.
 */
export function asRecorded(counts: StateCounts): StateCounts {
  return { ...counts, pending: atLeast(counts.pending), published: atLeast(counts.published) };
}

/** A lower bound; unknown for an estimate, which may be too high. */
function atLeast({ value, precision }: CountFigure): CountFigure {
  return value === 0 || precision === "estimate" ? UNKNOWN_COUNT : { value, precision: "capped" };
}

/** `capped`: not all records were looked at, so that there may be more. */
export interface RecordedCount {
  value: number;
  capped: boolean;
}

/** Messages of which there is a record and no row, by state. */
export type RecordedOnly = Record<"pending" | "failed" | "dead", RecordedCount>;

const NONE: RecordedCount = { value: 0, capped: false };
export const NOTHING_RECORDED: RecordedOnly = { pending: NONE, failed: NONE, dead: NONE };

/** Number of these messages that belong to a tab; the list itself shows only rows. */
export function recordedIn({ pending, failed, dead }: RecordedOnly, state: MessageFilter["state"]): RecordedCount {
  const ofTab: Partial<Record<MessageFilter["state"], RecordedCount[]>> = {
    ...{ pending: [pending], failed: [failed], dead: [dead] },
    ...{ failing: [failed, dead], unsent: [pending, failed], all: [pending, failed, dead] },
  };
  const counts = ofTab[state] ?? [];
  return { value: counts.reduce((sum, { value }) => sum + value, 0), capped: counts.some(({ capped }) => capped) };
}

/** The counts of a small table with them; those of a large one come from the records. */
export function withRecorded(counts: StateCounts, { pending, failed, dead }: RecordedOnly): StateCounts {
  const add = ({ value, precision }: CountFigure, more: RecordedCount): CountFigure => {
    const sum = value + more.value;
    if (!more.capped) return { value: sum, precision };
    return sum === 0 ? UNKNOWN_COUNT : { value: sum, precision: "capped" };
  };
  return {
    ...counts,
    ...{ pending: add(counts.pending, pending), failed: add(counts.failed, failed), dead: add(counts.dead, dead) },
  };
}
