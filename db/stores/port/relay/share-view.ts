/** The instances that currently share an outbox. */
export interface ShareView {
  /** Ids of participating instances, owners or not. */
  members: readonly string[];
  /** Number of partitions under a live lease, by owner. */
  owned: ReadonlyMap<string, number>;
  /** Number of partitions without a live lease. */
  free: number;
}
