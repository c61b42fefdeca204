import { type SQL, sql } from "drizzle-orm";
import type { InboxMapping, InboxMark } from "../../port/inbox-mapping.ts";
import type { InboxState } from "../../port/inbox-reader.ts";
import type { MappedColumn } from "../../port/mapping.ts";
import type { Condition } from "../../port/table-rules.ts";
import { type ColumnConditions, compileCondition } from "./compile-condition.ts";
import { ALWAYS, all, grouped, isNotTrue, NEVER } from "./conditions.ts";

/** The state of a row of an inbox: one predicate per state, used by lists, counts and sightings. */
export interface InboxStates {
  processed: SQL;
  failed: SQL;
  /** Neither processed nor failed, nor of an untold state; NEVER if the table does not say. */
  unprocessed: SQL;
  state: SQL<InboxState>;
}

export function inboxStates(mapping: InboxMapping, of: ColumnConditions): InboxStates {
  const { mark, untold } = mapping;
  const compile = (condition: Condition<MappedColumn> | null) =>
    condition === null ? NEVER : grouped(compileCondition(condition, of));
  const told = untold ? isNotTrue(compile(untold.holds)) : ALWAYS;
  const marked = compile(processedBy(mark));
  const failed = all(compile(failedBy(mapping)), told);
  const notFailed = isNotTrue(failed);
  // A status word takes precedence over an error that was left in the row.
  const processed = all(marked, mark.kind === "status" ? ALWAYS : notFailed, told);
  const tells = mark.kind !== "none" && !(mark.kind === "time" && mark.always);
  const unprocessed = tells ? all(openBy(mark, marked, of), notFailed, told) : NEVER;
  const waits = sql.raw(mark.kind === "none" ? "'received'" : "'unprocessed'");
  const other = untold ? sql`CASE WHEN ${compile(untold.holds)} THEN 'received' ELSE ${waits} END` : waits;
  return {
    processed,
    failed,
    unprocessed,
    state: sql`CASE WHEN ${processed} THEN 'processed' WHEN ${failed} THEN 'failed' ELSE ${other} END`,
  };
}

/** Null if the table does not say it. */
function processedBy(mark: InboxMark): Condition<MappedColumn> | null {
  switch (mark.kind) {
    case "time":
      return mark.always ? { always: true } : { column: mark.column, is: "set" };
    case "flag":
      return { column: mark.column, is: "true" };
    case "status":
      return { column: mark.column, in: mark.processed };
    case "rules":
      return mark.processed;
    case "none":
      return null;
  }
}

/** By its word or its library's rule; of any other table, also by an error that is left in the row. */
function failedBy({ mark, error }: InboxMapping): Condition<MappedColumn> | null {
  if (mark.kind === "status") return { column: mark.column, in: mark.failed };
  if (mark.kind === "rules") return mark.failed;
  const { failed, ends } = mark.kind === "none" ? {} : mark;
  const words = failed ? [{ column: failed.column, in: failed.words }] : [];
  const signs = [...words, ...(ends ? [ends.holds] : []), ...(error ? [{ column: error, is: "filled" as const }] : [])];
  return signs.length > 0 ? { any: signs } : null;
}

/** A plain `IS NULL` for a time, which an index can serve. */
function openBy(mark: InboxMark, marked: SQL, of: ColumnConditions): SQL {
  return mark.kind === "time" ? of.is(mark.column, "null") : isNotTrue(marked);
}
