import type { MessageFilter } from "../port/message-row.ts";
import type { CountFigure, StateCounts } from "../port/outbox-figures.ts";

const UNKNOWN: CountFigure = { value: 0, precision: "unknown" };

/**
 * The counts of a table whose progress is kept in the log. A row of which there is no record was published or is not read
 * yet, so there are at least as many pending messages as records say, and as many published ones as columns say.
 */
export function asRecorded(counts: StateCounts): StateCounts {
  return { ...counts, pending: atLeast(counts.pending), published: atLeast(counts.published) };
}

/** An estimate may be too high. */
function atLeast({ value, precision }: CountFigure): CountFigure {
  return value === 0 || precision === "estimate" ? UNKNOWN : { value, precision: "capped" };
}

/** Messages of which there is a record and no row, by state. */
export interface RecordedOnly {
  pending: number;
  failed: number;
  dead: number;
  /** True if counting stopped at a cap: there may be more. */
  capped: boolean;
}

export const NOTHING_RECORDED: RecordedOnly = { pending: 0, failed: 0, dead: 0, capped: false };

/** `read`: records that were looked at. */
export function inTabs({ read, ...found }: Omit<RecordedOnly, "capped"> & { read: number }, cap: number): RecordedOnly {
  return { ...found, capped: read > cap };
}

/** How many of them belong to a tab of the list, which has rows only. */
export function recordedIn(
  { pending, failed, dead, capped }: RecordedOnly,
  state: MessageFilter["state"],
): { value: number; capped: boolean } {
  const values: Partial<Record<MessageFilter["state"], number>> = {
    ...{ pending, failed, dead, failing: failed + dead, unsent: pending + failed, all: pending + failed + dead },
  };
  return { value: values[state] ?? 0, capped };
}

/** The counts of a small table with them; those of a large one come from the records. */
export function withRecorded(counts: StateCounts, { pending, failed, dead, capped }: RecordedOnly): StateCounts {
  const add = ({ value, precision }: CountFigure, more: number): CountFigure => ({
    value: value + more,
    precision: capped ? "capped" : precision,
  });
  return {
    ...counts,
    ...{ pending: add(counts.pending, pending), failed: add(counts.failed, failed), dead: add(counts.dead, dead) },
  };
}
