import { ClientError } from "../errors.ts";
import type { ReceivedMessage } from "../messages/received-message.ts";
import { isUuid } from "../sql/uuid.ts";

/** MySQL's key columns hold 255 characters, and a key that was cut off would be another message's. */
export const MOST_CHARACTERS = 255;

/** Throws `invalid_message`. `takesUuids`: the table's column accepts only UUIDs. */
export function requireId(message: Pick<ReceivedMessage, "id">, takesUuids = false): void {
  const id: unknown = message?.id;
  if (id === undefined)
    throw new ClientError(
      "invalid_message",
      "This is no message of a reader: pass what fromKafka, fromRabbit, fromNats, fromRedis or fromHttp makes of what you received.",
    );
  if (typeof id === "string" && id !== "" && id.length <= MOST_CHARACTERS && !id.includes("\0")) {
    if (!takesUuids || isUuid(id)) return;
    throw new ClientError(
      "invalid_message",
      `The id ${JSON.stringify(id)} is no UUID, and the inbox's column takes nothing else. It is not counted: put it aside.`,
    );
  }
  throw new ClientError(
    "invalid_message",
    `The message needs an id of 1 to ${MOST_CHARACTERS} characters without U+0000: else a repeat cannot be recognised. It is not counted: put it aside.`,
  );
}
