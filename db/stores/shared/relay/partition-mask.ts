import type { Lease } from "../../port/relay/lease.ts";

/** The partitions of a lease as one number in text, one bit each. */
export function partitionMask({ partitions }: Pick<Lease, "partitions">): string {
  return partitions.reduce((mask, partition) => mask | (1n << BigInt(partition)), 0n).toString();
}
