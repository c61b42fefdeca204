import type { MessageState } from "./message-state.ts";

/** Header of every message that is re-published; its value is the id of the operation. */
export const REPLAY_HEADER = "outbox-replay";

const UNSENT = "It is still to be sent: its first delivery is not over.";
const REASONS: Partial<Record<MessageState, string>> = {
  pending: UNSENT,
  failed: "It has failed: retry it.",
  dead: "It is dead: retry it.",
  in_flight: UNSENT,
  expired: "It has expired and was never sent.",
  archived: "It is archived: restore it first.",
  unknown: "The mapping does not name its status, so whether it was published is unknown.",
};

/** Why a message in this state is not re-published, as a sentence; undefined for a published one. */
export function whyNotRepublished(state: MessageState): string | undefined {
  return REASONS[state];
}

/** Why no message of a table is re-published, as a sentence; null where published rows stay and say so. */
export function whyNoneRepublished(table: { keepsPublished: boolean; possible: boolean }): string | null {
  if (!table.possible) return "Messages cannot be re-published from this kind of database yet.";
  if (!table.keepsPublished)
    return "Published messages leave this outbox, so there is nothing to re-publish: send them again from their producer.";
  return null;
}
