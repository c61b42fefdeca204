import type { OutgoingMessage } from "../port/relay/outgoing-message.ts";

/** The row's own limit, from the text of its column. */
export function mostAttempts(text: string | null): Pick<OutgoingMessage, "mostAttempts"> {
  return text === null ? {} : { mostAttempts: Number(text) };
}
