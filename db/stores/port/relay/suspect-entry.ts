import type { OrderKey } from "./outgoing-message.ts";

/** A message that was with a relay when it died, more than once: it may only be published alone. */
export interface SuspectEntry {
  id: string;
  aggregateKey: string | null;
  eventType: string | null;
  order: OrderKey;
  /** It was alone with every relay that died, often enough: it is to be given up on. */
  guilty: boolean;
  /** When the claim began whose relay died last. */
  diedAt: Date;
  /** Neither scheduled for later nor waiting for its next attempt. */
  due: boolean;
}
