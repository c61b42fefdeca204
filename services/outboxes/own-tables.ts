import type { CountFigure, StateCounts } from "#db/stores/port/outbox-figures.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import type { OutboxHandle } from "../stores/handles.ts";

/** Sentence: why an outbox that is operated is not acted on. */
export const OWN_TABLES_MISSING = ownTablesMissingIn("this database");

/** Sentence, with what to do. */
export function ownTablesMissingIn(database: string): string {
  return `The console's own tables are missing in ${database}: run \`${ourCommand("migrate")}\`.`;
}

type Own = Pick<OutboxHandle, "config" | "storeSide" | "operatedBefore">;

/** True if messages may have been recorded in tables of the console that are not there, or not read. */
export function lacksOwnTables({ config, storeSide, operatedBefore }: Own): boolean {
  return operatedBefore || (config.mode !== "observe" && !storeSide);
}

/** States for which the console's own tables have some or all of the messages. */
const RECORDED = ["failed", "in_flight", "dead", "archived"] as const satisfies readonly (keyof StateCounts)[];

/** Counts without our records, which cannot be read: the counts of the table alone are lower bounds. */
export function withoutRecorded(counts: StateCounts): StateCounts {
  return { ...counts, ...Object.fromEntries(RECORDED.map((state) => [state, atLeast(counts[state])])) };
}

/** A lower bound from part of the messages; unknown if the part is empty. */
export function atLeast({ value }: { value: number }): CountFigure {
  return { value, precision: value > 0 ? "capped" : "unknown" };
}
