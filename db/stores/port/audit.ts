import type { MessageState } from "#domain/message-state.ts";
import type { Actor } from "#domain/operator.ts";

export interface AuditRow {
  id: string;
  at: string;
  actor: string;
  role: string;
  action: string;
  outbox: string | null;
  inbox: string | null;
  messageId: string | null;
  operationId: string | null;
  outcome: string;
  reason: string | null;
  stateBefore: MessageState | null;
  stateAfter: MessageState | null;
  detail: string | null;
}

export interface AuditFilter {
  outbox?: string | undefined;
  messageId?: string | undefined;
  action?: string | undefined;
  actor?: string | undefined;
}

export interface AuditRecord {
  actor: Actor;
  /** Concept and verb: `message.retry`, `relay.pause`. */
  action: string;
  outbox: string | null;
  messageId?: string | null;
  operationId?: string | null;
  outcome: "done" | "refused";
  reason: string | null;
  stateBefore?: MessageState | null;
  stateAfter?: MessageState | null;
  detail?: string | null;
}
