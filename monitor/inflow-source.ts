import type { CounterReading } from "#db/stores/port/outbox-figures.ts";

type Counted = Pick<CounterReading, "atSeconds" | "inserted" | "insertedBy" | "committed">;
export type InflowSource = "sequence" | "committed";

/** Statistics may be this late: a session with little work reports its counts every 10 s. */
const LATE_SECONDS = 10;
const LONGEST_SECONDS = 60;
/** Fewer values are not judged. */
const FEWEST_VALUES = 10;
/** If at least this share of the values became rows, the rest counts as open transactions. */
const NEARLY_ALL = 0.8;

/**
 * Source of the number of new messages: the sequence, which is exact at once, or the count of committed rows if many of
 * the last minute's values did not become rows. An insert uses up a value even if it is rolled back, finds its key
 * taken, or stays uncommitted for long.
 */
export class InflowSources {
  #readings: Counted[] = [];
  #source: InflowSource = "sequence";

  /**
   * Source for the time since the last reading: the one before this reading, so that the rows of a long transaction
   * count.
   */
  note(now: Counted): InflowSource {
    const source = this.#source;
    const last = this.#readings.at(-1);
    if (last && !areComparable(last, now)) this.#readings = [];
    this.#readings.push(now);
    while (now.atSeconds - (this.#readings[1]?.atSeconds ?? now.atSeconds) >= LONGEST_SECONDS) this.#readings.shift();
    this.#source = this.#choose(now);
    return source;
  }

  #choose(now: Counted): InflowSource {
    if (now.committed === null || now.insertedBy !== "sequence") return "sequence";
    const [first] = this.#readings;
    const told = this.#readings.findLast(({ atSeconds }) => now.atSeconds - atSeconds >= LATE_SECONDS);
    // Counts that were reset are not comparable yet.
    if (!first || !told || told === first) return this.#source;
    const values = (told.inserted ?? 0) - (first.inserted ?? 0);
    const rows = now.committed.rows - (first.committed?.rows ?? 0);
    return values < FEWEST_VALUES || rows / values >= NEARLY_ALL ? "sequence" : "committed";
  }
}

/** True if both counts are of the same table and were not reset in between, as by ANALYZE or TRUNCATE. */
export function areComparable(before: Counted, now: Counted): boolean {
  return (
    before.insertedBy === now.insertedBy &&
    before.committed?.since === now.committed?.since &&
    (before.committed?.rows ?? 0) <= (now.committed?.rows ?? 0) &&
    (before.inserted ?? 0) <= (now.inserted ?? 0)
  );
}
