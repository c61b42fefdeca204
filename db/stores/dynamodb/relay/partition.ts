import { crc32 } from "node:zlib";
import { ownsAll, PARTITIONS } from "#domain/relay/partitions.ts";
import type { Lease } from "../../port/relay/lease.ts";

/** True if the term covers the message: by its aggregate, or by its own id if it has none or order is not kept. */
export function isInTerm(lease: Pick<Lease, "partitions">, id: string, aggregateKey: string | null): boolean {
  return ownsAll(lease) || lease.partitions.includes(crc32(aggregateKey ?? id) % PARTITIONS);
}
