import type { takeSnapshot } from "#services/outboxes/take-snapshot.ts";

type Snapshot = Awaited<ReturnType<typeof takeSnapshot>>;
type Counts = Snapshot["counts"];
type Figure = Counts["pending"];

/**
 * Messages that were not published: those that wait, and those that are dead, expired or of an unknown state. Null
 * unless these are counted exactly: a count that stops at its limit stays the same, whatever comes in. Dead or expired
 * messages of which nothing is known are left out.
 */
export function unpublishedOf({ pending, failed, in_flight, unknown, dead, expired }: Counts): number | null {
  const ended = [dead, expired].filter(({ precision }) => precision !== "unknown");
  const parts = [pending, failed, in_flight, unknown, ...ended];
  return parts.every(({ precision }) => precision === "exact") ? sumOf(parts.map(({ value }) => value)) : null;
}

/** The levels of a sample. Null if a part is unknown or "at least", since a partial sum would be wrong. */
export function levelsOf({ counts, oldestPending, oldestClaimSeconds }: LevelFigures) {
  const waiting = [counts.pending, counts.failed, counts.in_flight].map(wholeOf);
  const backlog = sumOf(waiting);
  return {
    backlog,
    dead: wholeOf(counts.dead),
    // If all waiting messages are in live claims, the oldest claim gives the latency; without any, the latency is zero.
    oldestPendingSeconds: oldestPending?.ageSeconds ?? oldestClaimSeconds ?? (backlog === null ? null : 0),
  };
}

type LevelFigures = Pick<Snapshot, "counts" | "oldestPending" | "oldestClaimSeconds">;

const wholeOf = ({ precision, value }: Figure) => (precision === "unknown" || precision === "capped" ? null : value);

function sumOf(values: readonly (number | null)[]): number | null {
  return values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0 as number | null);
}
