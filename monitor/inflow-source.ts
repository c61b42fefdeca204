import type { CounterReading } from "#db/stores/port/outbox-figures.ts";

type Counted = Pick<CounterReading, "atSeconds" | "inserted" | "insertedBy" | "committed">;
export type InflowSource = "sequence" | "committed";

/** Statistics may be this late: a session with little work reports its counts every 10 s. */
const LATE_SECONDS = 10;
const LONGEST_SECONDS = 60;
/** Fewer values say little. */
const FEWEST_VALUES = 10;
/** Share of the values that became rows, from which on the rest counts as open transactions. */
const NEARLY_ALL = 0.8;

/**
 * Source of the number of new messages: the sequence, which is exact at once, or the count of committed rows, if many of the last
 * minute's values became no rows. An insert also uses up a value if it is rolled back, finds its key taken, or stays uncommitted
 * for long.
 */
export class InflowSources {
  #readings: Counted[] = [];
  #source: InflowSource = "sequence";

  /** The source for the time between the last reading and this one: as it was before, so that what a long transaction commits counts. */
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

/** True if the counts of both are of the same table and were not reset in between, as ANALYZE and TRUNCATE do. */
export function areComparable(before: Counted, now: Counted): boolean {
  return (
    before.insertedBy === now.insertedBy &&
    before.committed?.since === now.committed?.since &&
    (before.committed?.rows ?? 0) <= (now.committed?.rows ?? 0) &&
    (before.inserted ?? 0) <= (now.inserted ?? 0)
  );
}
