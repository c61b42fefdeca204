import type { MessageState } from "#domain/message/message-state.ts";
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

/** Position of an entry in its audit. */
export type AuditPlace = Pick<AuditRow, "at" | "id">;

export interface AuditFilter {
  /** Only entries of these outboxes; undefined: all entries, including those without an outbox. */
  outboxes?: readonly string[] | undefined;
  messageId?: string | undefined;
  action?: string | undefined;
  actor?: string | undefined;
  outcome?: string | undefined;
  /** At or after, RFC 3339. */
  from?: string | undefined;
  /** Before, RFC 3339. */
  to?: string | undefined;
}

export interface AuditPage {
  filter: AuditFilter;
  /** Entries older than this one; null: from the newest. */
  before: AuditPlace | null;
  limit: number;
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
