import { type MessageAction, type MessageState, transitionFor } from "#domain/message/message-state.ts";
import type { FoundMessage } from "../read/find-message.ts";

/** The state in which an action leaves a message; null if it is gone. */
export function stateAfter(action: MessageAction, { archived }: FoundMessage): MessageState | null {
  const { to } = transitionFor(action);
  if (to === "gone") return null;
  return to === "previous" ? (archived?.doc.stateBefore ?? null) : to;
}
