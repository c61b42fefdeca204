import type { FactName, StoreFacts } from "#domain/diagnosis/facts.ts";

export interface FactLimits {
  overdueSeconds: number;
  claimGraceSeconds: number;
  lockHeldSeconds: number;
  oldTransactionSeconds: number;
  scheduledFarSeconds: number;
  clockSkewSeconds: number;
  /** Whether messages of one aggregate go in order; null without a relay of ours. */
  relay: { lanes: boolean } | null;
}

/** Facts that are read from the store one by one; the others come with the figures or from the console side. */
export type WatchedFacts = Omit<StoreFacts, "relays" | "monitor" | "consoleClock" | "mappingStop">;

export interface GatheredFacts {
  /** What could be read; a fact that is missing was not, and nothing may be concluded from that. */
  facts: Partial<WatchedFacts>;
  unread: { fact: FactName; error: unknown }[];
  /** How long connections were held for it; waiting for one costs the store nothing. */
  tookMs: number;
}

/** What may explain that messages do not move: locks, claims, dead letters, clocks and the like. */
export interface OutboxWatch {
  /** Each fact is read on its own: one that cannot be read takes no other with it. Throws when the store is unreachable. */
  facts(limits: FactLimits): Promise<GatheredFacts>;
}
