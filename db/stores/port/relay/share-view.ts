/** Who shares an outbox at this moment. */
export interface ShareView {
  /** Ids of instances that take part, whether they own anything or not. */
  members: readonly string[];
  /** By owner: how many partitions its live lease covers. */
  owned: ReadonlyMap<string, number>;
  /** Partitions that no live lease covers. */
  free: number;
}
