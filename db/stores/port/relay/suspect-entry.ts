import type { OrderKey } from "./outgoing-message.ts";

/** A quarantined message: relays died with it in flight more than once, so it may only be published alone. */
export interface SuspectEntry {
  id: string;
  aggregateKey: string | null;
  eventType: string | null;
  order: OrderKey;
  /** It was alone in flight with enough relays that died: it is to be dead-lettered. */
  killsRelays: boolean;
  /** Start of the claim whose relay died last. */
  diedAt: Date;
  /** Neither scheduled for later nor waiting for its next attempt. */
  due: boolean;
  /** Distinguishes its row from a later one of the same id; opaque outside the store. */
  identity: unknown;
}
