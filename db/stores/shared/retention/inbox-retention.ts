import { AppError } from "#domain/errors.ts";
import type { InboxMapping } from "../../port/inbox-mapping.ts";
import type { InboxAge } from "../../port/inbox-retention.ts";
import type { MappedColumn } from "../../port/mapping.ts";

/** Shapes that a person made; any other is a library's. */
const HAND_MADE: readonly string[] = ["inbox", "processed-events", "configured"];

/** Name of an inbox's runs among those of outboxes, whose names have no colon. */
export const runsOf = (inbox: string) => `inbox:${inbox}`;

export interface InboxAgeColumn {
  column: MappedColumn;
  of: InboxAge;
}

/** The time that gives a row its age; null if the table has none. A row without that time stays. */
export function inboxAge({ mark, processedAt, receivedAt }: InboxMapping): InboxAgeColumn | null {
  if (mark.kind !== "none" && processedAt?.time) return { column: processedAt, of: "processed" };
  return receivedAt?.time ? { column: receivedAt, of: "received" } : null;
}

/** True if the table marks rows as processed. */
export const marksProcessed = ({ mark }: InboxMapping): boolean => mark.kind !== "none";

/** Sentence: why the mapping does not allow it to remove rows; null if it does. */
export function whyInboxStays(mapping: InboxMapping): string | null {
  if (!HAND_MADE.includes(mapping.shape))
    return `This is a table of ${mapping.shape}, and nothing known here says when ${mapping.shape} no longer needs a row. Use its own clean-up.`;
  if (mapping.primaryKey.length === 0) return "The table has no primary key, so no row can be named for certain.";
  if (!inboxAge(mapping)) return "No column says when a row was processed or received, so none is known to be old.";
  return null;
}

/** Throws wrong_state where no column says how old a row is. */
export function requireInboxAge(mapping: InboxMapping): InboxAgeColumn {
  const age = inboxAge(mapping);
  if (!age) throw new AppError("wrong_state", "No column says how old a row of this inbox is.");
  return age;
}

/** Clause: why rows that are old enough stay. */
export const KEPT_IN_INBOX = "they are not marked as processed, or have failed";
