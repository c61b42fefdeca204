import { type SQL, sql } from "drizzle-orm";
import type { InboxMapping, InboxMark } from "../../port/inbox-mapping.ts";
import type { InboxState } from "../../port/inbox-reader.ts";
import type { MappedColumn } from "../../port/mapping.ts";
import type { Condition } from "../../port/table-rules.ts";
import { type ColumnConditions, compileCondition } from "./compile-condition.ts";
import { ALWAYS, all, any, grouped, isNotTrue, NEVER } from "./conditions.ts";
import { failedBy, isSayingProcessed, processedBy } from "./inbox-conditions.ts";

/** The state of a row of an inbox: one predicate per state, used by lists, counts and sightings. */
export interface InboxStates {
  processed: SQL;
  failed: SQL;
  /** Neither processed nor failed, and of a known state; NEVER if the table does not show it. */
  unprocessed: SQL;
  state: SQL<InboxState>;
}

export function inboxStates(mapping: InboxMapping, of: ColumnConditions): InboxStates {
  const { mark, untold, doubts } = mapping;
  const compile = (condition: Condition<MappedColumn> | null) =>
    condition === null ? NEVER : grouped(compileCondition(condition, of));
  const doubted = doubts ? compile(doubts.holds) : NEVER;
  const told = untold ? isNotTrue(compile(untold.holds)) : ALWAYS;
  const marked = compile(processedBy(mark));
  const failed = all(compile(failedBy(mapping)), told);
  const notFailed = isNotTrue(failed);
  // A status word takes precedence over an error that was left in the row.
  const processed = all(marked, mark.kind === "status" ? ALWAYS : notFailed, told);
  const tells = isSayingProcessed(mark);
  const unprocessed = tells
    ? all(openBy(mark, marked, of), notFailed, told, doubts ? isNotTrue(doubted) : ALWAYS)
    : NEVER;
  const waits = sql.raw(mark.kind === "none" ? "'received'" : "'unprocessed'");
  const others = [...(untold ? [compile(untold.holds)] : []), ...(doubts ? [doubted] : [])];
  const other = others.length > 0 ? sql`CASE WHEN ${any(...others)} THEN 'received' ELSE ${waits} END` : waits;
  return {
    processed,
    failed,
    unprocessed,
    state: sql`CASE WHEN ${processed} THEN 'processed' WHEN ${failed} THEN 'failed' ELSE ${other} END`,
  };
}

/** A plain `IS NULL` for a time, which an index can serve. */
function openBy(mark: InboxMark, marked: SQL, of: ColumnConditions): SQL {
  return mark.kind === "time" ? of.is(mark.column, "null") : isNotTrue(marked);
}
