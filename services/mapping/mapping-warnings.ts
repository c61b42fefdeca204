import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { StateCounts } from "#db/stores/port/outbox-figures.ts";
import { formatCount, formatPlural } from "#domain/format.ts";

/** Tolerated difference of clocks. */
const CLOCK_SECONDS = 60;
const DECADE_SECONDS = 10 * 365 * 86_400;

/** Sentences: doubts about a mapping, from its counts and its newest rows. */
export function mappingWarnings(
  counts: StateCounts,
  rows: readonly Pick<MessageRow, "ageSeconds" | "state">[],
): string[] {
  const { pending, failed, in_flight, dead, published, unknown } = counts;
  const known = [pending, failed, in_flight, dead, published].every(({ precision }) => precision !== "unknown");
  const unsent = pending.value + failed.value + in_flight.value;
  // The rows are read after the counts, and a message may have come in between.
  const showsUnsent = rows.some(({ state }) => state !== "published" && state !== "unknown");
  const ages = rows.flatMap(({ ageSeconds }) => (ageSeconds === null ? [] : [ageSeconds]));
  const future = ages.filter((age) => age < -CLOCK_SECONDS).length;
  const ancient = ages.filter((age) => age > DECADE_SECONDS).length;
  return [
    unknown.value > 0
      ? `${formatPlural(unknown.value, "row")} ${unknown.value === 1 ? "is" : "are"} unknown: no state names what ${unknown.value === 1 ? "it says" : "they say"}.`
      : null,
    future > 0
      ? `${formatCount(future)} of the ${rows.length} newest rows were created in the future: the time zone or the column may be wrong.`
      : null,
    ancient > 0
      ? `${formatCount(ancient)} of the ${rows.length} newest rows are older than 10 years: the unit of the time or the column may be wrong.`
      : null,
    known && published.value > 0 && unsent + dead.value === 0 && !showsUnsent
      ? "Every row is published: if messages wait at this moment, another column marks them."
      : null,
    known && dead.value > published.value && dead.value > 10
      ? "More rows are dead than published: the column or its words may mean something else."
      : null,
  ].filter((warning) => warning !== null);
}
