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
