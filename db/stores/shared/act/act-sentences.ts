import { formatPlural } from "#domain/format.ts";

/** What an action says of itself, on every engine. */
export const DUE_NOW = "Due now; attempts reset to 0.";
export const PUT_BACK = "Put back into its table.";
export const MARKED_DEAD = "Marked dead in its own table; nothing retries it until someone acts.";
export const MOVED_DEAD = "Moved to the dead letters; its aggregate continues without it.";
export const RECORDED_DEAD = "Recorded as dead; the row stays in its table because it cannot be moved.";
export const ARCHIVED = "Archived; it can be restored until it is purged.";
export const ARCHIVED_DEAD_LETTER = "Archived from the dead letters.";
export const PURGED = "Deleted for good.";
export const HOLD_ENDED = "Its aggregate was held behind it and is now released.";

/** `later`: how many later messages of the aggregate were published before it; null if that is not known. */
export function retriedSentence(later: number | null): string {
  const order = orderSentence(later);
  return order === null ? DUE_NOW : `Due now. ${order}`;
}

/** Of a retry that does something else than make the message due. */
export function withOrder(done: string, later: number | null): string {
  const order = orderSentence(later);
  return order === null ? done : `${done} ${order}`;
}

function orderSentence(later: number | null): string | null {
  if (later === null || later <= 0) return null;
  const [were, them] = later === 1 ? ["was", "it"] : ["were", "them"];
  return `${formatPlural(later, "later message")} of the same aggregate ${were} already published, so this one arrives after ${them}.`;
}
