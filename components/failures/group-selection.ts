import type { FailureGroup } from "#contracts/message/messages.ts";
import { type MessageSelection, messageSelectionSchema } from "#contracts/message/operations.ts";

export interface GroupSelection {
  filter: MessageSelection;
  /** How many of the group the action is for. */
  count: number;
}

type Group = Pick<FailureGroup, "filter" | "selects" | "failed" | "dead">;

/** The messages of a group that may be retried: failed and dead ones. Null if no filter finds them alone. */
export function retryOf(group: Group): GroupSelection | null {
  const { failed, dead } = group;
  const state = failed > 0 && dead > 0 ? "failing" : dead > 0 ? "dead" : "failed";
  return selection(group, state, failed + dead);
}

/** Those that may be dead-lettered: the failed ones. */
export function deadLetterOf(group: Group): GroupSelection | null {
  return selection(group, "failed", group.failed);
}

/** A group whose messages no filter finds alone is not acted on: others would be among them. */
function selection({ filter, selects }: Group, state: MessageSelection["state"], count: number): GroupSelection | null {
  if (!selects) return null;
  return { filter: messageSelectionSchema.parse({ ...filter, state }), count };
}

/** Why nothing can be done with a group as a whole. */
export const NO_SELECTION = "Nothing recorded selects these messages without others: select them in the list.";
