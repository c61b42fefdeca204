import type { OrderKey } from "./outgoing-message.ts";

/** What a failed, not dead, message keeps beside its row. */
export interface RetryEntry {
  id: string;
  aggregateKey: string | null;
  eventType: string | null;
  order: OrderKey | null;
  attempts: number;
  /** Ms until it is due on the database clock; 0 or less is due. */
  dueInMs: number;
}
