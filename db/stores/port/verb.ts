import type { MessageAction, MessageState } from "#domain/message-state.ts";
import type { Actor } from "#domain/operator.ts";

/** One operator's change to one message. */
export interface VerbRequest {
  action: MessageAction;
  id: string;
  /** As the operator saw it; another version is a conflict. */
  version: string;
  actor: Actor;
  reason: string;
  operationId: string;
  /** Checks everything and changes nothing. */
  dryRun: boolean;
}

export interface VerbResult {
  stateBefore: MessageState;
  stateAfter: MessageState | null;
  /** The message's version afterwards; null when it is gone. */
  version: string | null;
  /** What the operator should know, as a sentence. */
  message: string;
}
