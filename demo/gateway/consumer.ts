import type { OnceResult } from "#client/inbox/create-inbox.ts";
import type { ReceivedMessage } from "#client/messages/received-message.ts";

/** Processes a message once; a repeat, which is already in its inbox, has no effect. */
export interface Consumer {
  name: string;
  consume(message: ReceivedMessage): Promise<OnceResult<unknown>>;
}
