import { ClientError } from "../errors.ts";
import type { ReceivedMessage } from "../messages/received-message.ts";

/** MySQL's key columns hold 255 characters, and a key that was cut off would be another message's. */
export const MOST_CHARACTERS = 255;

/** Throws `invalid_message`. */
export function requireId({ id }: Pick<ReceivedMessage, "id">): void {
  if (typeof id === "string" && id !== "" && id.length <= MOST_CHARACTERS && !id.includes("\0")) return;
  throw new ClientError(
    "invalid_message",
    `The message needs an id of 1 to ${MOST_CHARACTERS} characters without U+0000: else a repeat cannot be recognised. It is not counted: put it aside.`,
  );
}
