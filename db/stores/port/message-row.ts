import type { MessageState } from "#domain/message/message-state.ts";

/** A message as lists show it, without its payload. Instants are RFC 3339 in UTC with microseconds. */
export interface MessageRow {
  id: string;
  /** Changes whenever the row or our records about it change. */
  version: string;
  state: MessageState;
  claimExpired: boolean;
  /** Its row shows that another program is publishing it, but no column has the end of the claim. */
  claimUndated: boolean;
  eventType: string | null;
  aggregateType: string | null;
  aggregateId: string | null;
  createdAt: string | null;
  publishedAt: string | null;
  availableAt: string | null;
  ageSeconds: number | null;
  attempts: number | null;
  maxAttempts: number | null;
  nextAttemptAt: string | null;
  lastError: string | null;
  lastErrorCode: string | null;
  blockedBy: string | null;
  archivedAt: string | null;
  rawStatus: string | null;
  payloadBytes: number | null;
}

/** One state, every unsent message, every failed or dead one, or all messages. */
export type MessageTab = MessageState | "unsent" | "failing" | "all";

export interface MessageFilter {
  state: MessageTab;
  eventType?: string | undefined;
  aggregateType?: string | undefined;
  aggregateId?: string | undefined;
  error?: string | undefined;
  group?: string | undefined;
  /** Of the last error, as our relay recorded it. */
  errorCode?: string | undefined;
  attemptsMin?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** 32 hex digits in lower case. */
  traceId?: string | undefined;
  q?: string | undefined;
}
