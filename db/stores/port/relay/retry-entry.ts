import type { OrderKey } from "./outgoing-message.ts";

/** Our record of a failed message that is not dead. */
export interface RetryEntry {
  id: string;
  aggregateKey: string | null;
  eventType: string | null;
  order: OrderKey | null;
  attempts: number;
  /** Ms until it is due, on the database clock; 0 or negative means due. */
  dueInMs: number;
}
