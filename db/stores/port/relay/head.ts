import type { OrderKey } from "./outgoing-message.ts";

/** A message, usually the head of its aggregate, and its place in the order. */
export interface Head {
  id: string;
  aggregateKey: string | null;
  order: OrderKey;
}
