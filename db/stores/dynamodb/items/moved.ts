import type { MessageState } from "#domain/message-state.ts";

/** A message among the dead letters: its record in our table, beside its image where the item has left the team's. */
export interface DeadDoc {
  moved: boolean;
  deadAt: string;
  deadBy: string;
  attempts: number;
  lastError: string | null;
  lastErrorCode: string | null;
  fingerprint: string | null;
  summary: Summary;
}

/** A message in the archive; its image is beside the record. */
export interface ArchiveDoc {
  stateBefore: MessageState;
  archivedAt: string;
  archivedBy: string;
  reason: string;
  /** The record that it had among the dead letters. */
  dead: DeadDoc | null;
  attempts: number;
  lastError: string | null;
  summary: Summary;
}

export interface RestoredDoc {
  at: string;
}

/** What lists show of a message whose item is no longer in its table. */
export interface Summary {
  eventType: string | null;
  aggregateType: string | null;
  aggregateId: string | null;
  createdAt: string | null;
  publishedAt: string | null;
  payloadBytes: number | null;
}
