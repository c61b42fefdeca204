/** The instances that currently share an outbox. */
export interface ShareView {
  /** Ids of participating instances, owners or not. */
  members: readonly string[];
  /** What each member keeps in order, as its heartbeat says; without those of earlier releases, which do not say it. */
  orderings: ReadonlyMap<string, string>;
  /** Number of partitions under a live lease, by owner. */
  owned: ReadonlyMap<string, number>;
  /** Number of partitions without a live lease. */
  free: number;
  /** Terms that are live by the database's clock; missing in an engine that cannot end one (`RelayTable.endTerm`). */
  terms?: readonly SeenTerm[];
}

/** A live term as it was read. */
export interface SeenTerm {
  owner: string;
  epoch: number;
  /** Length of its lease; null if its owner is of an earlier release. */
  leaseMs: number | null;
  /** Its expiry, opaque outside the store; changes with each renewal. */
  seen: string;
}
