/**
 * Relays share an outbox by partitions of its aggregates. The number is constant, because all instances must agree on
 * it. With 32, the shares of a dozen relays differ by at most a third.
 */
export const PARTITIONS = 32;

export const ALL_PARTITIONS: readonly number[] = Array.from({ length: PARTITIONS }, (_, index) => index);

export function ownsAll(owned: { partitions: readonly number[] }): boolean {
  return owned.partitions.length === PARTITIONS;
}
