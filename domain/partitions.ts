/**
 * An outbox is shared out among relays by partition of its aggregates. A constant: the number is part of what instances
 * agree on, and 32 gives every one of a dozen a share that differs by at most a third.
 */
export const PARTITIONS = 32;

export const ALL_PARTITIONS: readonly number[] = Array.from({ length: PARTITIONS }, (_, index) => index);

export function ownsAll(owned: { partitions: readonly number[] }): boolean {
  return owned.partitions.length === PARTITIONS;
}
