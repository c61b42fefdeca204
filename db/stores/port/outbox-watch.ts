import type { FactName, NoWrites, StoreFacts } from "#domain/diagnosis/facts/store-facts.ts";

export interface FactLimits {
  overdueSeconds: number;
  claimGraceSeconds: number;
  lockHeldSeconds: number;
  oldTransactionSeconds: number;
  scheduledFarSeconds: number;
  clockSkewSeconds: number;
  /** `lanes`: messages of one aggregate are delivered in order. Null without a relay of ours. */
  relay: { lanes: boolean } | null;
  /** Slot of the connector that publishes the outbox; null or left out without one. */
  connectorSlot?: string | null;
  /** Replication slots that outboxes of the configuration are read from: this one's, and those of others. */
  configuredSlots?: { own: string | null; ofOthers: readonly string[] };
  /** True if a connector publishes the outbox, so that its rows should not be marked. */
  connector?: boolean;
}

/** Facts read from the store one by one; the others come with the figures or from the console side. */
export type WatchedFacts = Omit<
  StoreFacts,
  "relays" | "readOnly" | "monitor" | "consoleClock" | "mappingStop" | "consumers" | "connector"
>;

export interface GatheredFacts {
  /** Facts that could be read. A missing fact is unknown: conclude nothing from it. */
  facts: Partial<WatchedFacts>;
  unread: { fact: FactName; error: unknown }[];
  /** How long connections were held; excludes waiting for one. */
  tookMs: number;
}

/** Possible reasons why messages do not move: locks, claims, dead letters, clocks and the like. */
export interface OutboxWatch {
  /** Reads each fact separately: a failed one does not affect the others. Throws if the store is unreachable. */
  facts(limits: FactLimits): Promise<GatheredFacts>;
  /**
   * Why the store takes no writes; null if it takes them, or if that is unknown. For an outbox whose relays are silent:
   * their heartbeat is tried, and rolled back. Throws if the store is unreachable or too slow to tell.
   */
  noWrites(): Promise<NoWrites | null>;
}
