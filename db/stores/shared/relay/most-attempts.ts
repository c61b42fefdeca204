import type { OutgoingMessage } from "../../port/relay/outgoing-message.ts";

/** The row's own limit, from the text of its column; 0 and -1 are how programs write that there is none. */
export function mostAttempts(text: string | null): Pick<OutgoingMessage, "mostAttempts"> {
  return Number(text) > 0 ? { mostAttempts: Number(text) } : {};
}
