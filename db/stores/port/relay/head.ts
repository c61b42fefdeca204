import type { OrderKey } from "./outgoing-message.ts";

/** A message that is known by its place, as the head of its aggregate or nearly so. */
export interface Head {
  id: string;
  aggregateKey: string | null;
  order: OrderKey;
}
