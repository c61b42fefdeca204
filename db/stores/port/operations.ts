import type { MessageState } from "#domain/message/message-state.ts";
import type { Actor } from "#domain/operator.ts";

export interface NewOperation {
  id: string;
  outbox: string;
  action: string;
  actor: Actor;
  reason: string;
  idempotencyKey: string | null;
  requestHash: string;
}

export interface StoredOperation {
  id: string;
  outbox: string;
  at: string;
  requestHash: string;
  /** The record as last written; null if an older version of this program crashed before writing it. */
  result: unknown;
  /** Seconds since it began, on the store's clock. */
  ageSeconds: number;
  isNew: boolean;
}

/** One message that an operation changed, from the audit row of the same transaction. */
export interface AuditedChange {
  messageId: string;
  stateBefore: MessageState | null;
  stateAfter: MessageState | null;
  detail: string | null;
}
