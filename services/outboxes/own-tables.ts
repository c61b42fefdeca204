import type { CountFigure, StateCounts } from "#db/stores/port/outbox-figures.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import type { OutboxHandle } from "../stores/handles.ts";

/** Sentence: why an outbox that is operated is not acted on, with what to do. */
export function whyNoOwnTables({ ownTablesOlder }: Pick<OutboxHandle, "ownTablesOlder">, database = "this database") {
  const why = ownTablesOlder ? `in ${database} are older than this program` : `are missing in ${database}`;
  return `The console's own tables ${why}: run \`${ourCommand("migrate")}\`.`;
}

/** Sentence: why nobody can act on an outbox without the store side. */
export function whyNotOperated(handle: OutboxHandle): string {
  return handle.config.mode === "observe" ? "This outbox is observed only." : whyNoOwnTables(handle);
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
