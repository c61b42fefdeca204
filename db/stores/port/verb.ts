import type { MessageAction, MessageState } from "#domain/message/message-state.ts";
import type { Actor } from "#domain/operator.ts";

/** One operator's change to one message. */
export interface VerbRequest {
  action: MessageAction;
  id: string;
  /** Version the operator saw; any other version is a conflict. */
  version: string;
  actor: Actor;
  reason: string;
  operationId: string;
  /** Only checks; changes nothing. */
  dryRun: boolean;
  /**
   * Set for an item of a bulk operation: its outcome is written in the transaction of the act, in place of an audit
   * row. If the item has an outcome already, nothing is changed: conflict.
   */
  item?: { seq: number; outcome: "released" | "done" } | undefined;
}

export interface VerbResult {
  stateBefore: MessageState;
  stateAfter: MessageState | null;
  /** The message's version after the change; null if it is gone. */
  version: string | null;
  /** Sentence for the operator. */
  message: string;
}
