import type { MessageState } from "#domain/message/message-state.ts";
import type { DeliveryDoc } from "../own-table/relay-docs.ts";

/**
 * A message among the dead letters: its record in our table. If the item has left the team's table, an image is next to
 * it.
 */
export interface DeadDoc {
  moved: boolean;
  deadAt: string;
  deadBy: string;
  attempts: number;
  lastError: string | null;
  lastErrorCode: string | null;
  fingerprint: string | null;
  summary: Summary;
  /** Our relay's record of its failures. */
  delivery?: DeliveryDoc | null;
}

/** A message in the archive; its image is next to the record. */
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
  /** Our relay's record of its failures while it was in its table. */
  delivery?: DeliveryDoc | null;
}

export interface RestoredDoc {
  at: string;
}

/** Values for lists, of a message whose item is no longer in its table. */
export interface Summary {
  eventType: string | null;
  aggregateType: string | null;
  aggregateId: string | null;
  createdAt: string | null;
  publishedAt: string | null;
  payloadBytes: number | null;
}
