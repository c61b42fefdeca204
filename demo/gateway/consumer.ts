import type { OnceResult } from "#client/inbox/create-inbox.ts";
import type { ReceivedMessage } from "#client/messages/received-message.ts";

/** Processes a message with effect once; a repeat, which its inbox has already, does nothing. */
export interface Consumer {
  name: string;
  consume(message: ReceivedMessage): Promise<OnceResult<unknown>>;
}
