import { type SQL, sql } from "drizzle-orm";
import type { InboxMapping } from "#db/stores/port/inbox-mapping.ts";
import type { InboxState } from "#db/stores/port/inbox-reader.ts";
import { compileCondition } from "#db/stores/shared/compile-condition.ts";
import { ALWAYS, all, grouped, isNotTrue, isTrue, NEVER } from "#db/stores/shared/conditions.ts";
import { inboxTable } from "./outbox-table.ts";
import { conditionsOver } from "./ruled-states.ts";

/** The state of a row of an inbox: one predicate per state, used by lists, counts and sightings. */

/** Marked as processed, whether or not it failed. */
function marked(mapping: InboxMapping): SQL {
  const { mark } = mapping;
  const inbox = inboxTable(mapping);
  switch (mark.kind) {
    case "time":
      return mark.always ? ALWAYS : sql`${inbox.column(mark.column)} IS NOT NULL`;
    case "flag":
      return sql`${inbox.column(mark.column)}`;
    case "status":
      return wordIn(mapping, mark.processed);
    case "rules":
      return compileCondition(mark.processed, conditionsOver(inbox));
    case "none":
      return NEVER;
  }
}

function wordIn(mapping: InboxMapping, words: readonly string[]): SQL {
  if (mapping.mark.kind !== "status" || words.length === 0) return NEVER;
  return sql`${inboxTable(mapping).column(mapping.mark.column)} IN ${[...words]}`.inlineParams();
}

/** A failure by its word; without a status, by an error that is left in the row. */
export function isFailed(mapping: InboxMapping): SQL {
  const { mark, error } = mapping;
  if (mark.kind === "status") return wordIn(mapping, mark.failed);
  if (mark.kind === "rules")
    return mark.failed ? isTrue(grouped(compileCondition(mark.failed, conditionsOver(inboxTable(mapping))))) : NEVER;
  return error ? sql`coalesce(${inboxTable(mapping).column(error)}::text, '') <> ''` : NEVER;
}

export function isProcessed(mapping: InboxMapping): SQL {
  return mapping.mark.kind === "status" ? marked(mapping) : all(grouped(marked(mapping)), notFailed(mapping));
}

/** Neither processed nor failed; NEVER if the table does not say. */
export function isUnprocessed(mapping: InboxMapping): SQL {
  const { mark } = mapping;
  if (mark.kind === "none" || (mark.kind === "time" && mark.always)) return NEVER;
  const open =
    mark.kind === "time" ? sql`${inboxTable(mapping).column(mark.column)} IS NULL` : isNotTrue(marked(mapping));
  return all(open, notFailed(mapping));
}

export function inboxState(mapping: InboxMapping): SQL<InboxState> {
  const other = mapping.mark.kind === "none" ? "received" : "unprocessed";
  return sql`CASE WHEN ${isProcessed(mapping)} THEN 'processed' WHEN ${isFailed(mapping)} THEN 'failed' ELSE ${sql.raw(`'${other}'`)} END`;
}

function notFailed(mapping: InboxMapping): SQL {
  const failed = isFailed(mapping);
  return failed === NEVER ? ALWAYS : isNotTrue(failed);
}
