import type { MessageState } from "#domain/message/message-state.ts";
import type { Actor } from "#domain/operator.ts";

/** A corrected copy of one message, to be sent in its place. */
export interface CorrectionRequest {
  id: string;
  /** Version of the original that the operator saw; any other version is a conflict. */
  version: string;
  /** The copy's payload, character by character as it was typed. */
  payload: string;
  /** The copy's headers; those of the original when left out. */
  headers?: string | undefined;
  actor: Actor;
  reason: string;
  operationId: string;
}

export interface CorrectionResult {
  copyId: string;
  stateBefore: MessageState;
  /** Of the original. */
  stateAfter: MessageState;
  /** Of the original, after it. */
  version: string | null;
  /** Sentences for the operator. */
  message: string;
}
