import { AppError } from "#domain/errors.ts";
import type { MessageAction, MessageState } from "#domain/message-state.ts";
import type { MessageRow } from "../../port/message-row.ts";

/** True for a state that shows that the table did not keep the change; absent: the message is nowhere. */
const NOT_TAKEN: Record<MessageAction, (after: MessageState | undefined) => boolean> = {
  retry: (after) => after === "dead",
  // A library's own table of dead letters may have the row now.
  "dead-letter": (after) => after !== undefined && after !== "dead",
  archive: (after) => after !== "archived",
  restore: (after) => after === undefined || after === "archived",
  purge: (after) => after !== undefined,
};

/** Throws wrong_state if a message, read again in the transaction of its act, is not what the act makes of it. */
export function requireTaken(action: MessageAction, after: MessageRow | undefined): void {
  if (!NOT_TAKEN[action](after?.state)) return;
  const now = after ? `it is still ${after.state.replace("_", " ")}` : "it would be gone";
  throw new AppError(
    "wrong_state",
    `The table does not keep this change: ${now}, so nothing was changed. Look for a trigger or a rule of the table.`,
  );
}
