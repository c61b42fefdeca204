import type { Lease } from "#db/stores/port/relay/lease.ts";
import { partitionMask } from "#db/stores/shared/relay/partition-mask.ts";
import { PARTITIONS } from "#domain/relay/partitions.ts";
import { aggregateKey, messageId, type StatementContext } from "./relay-context.ts";

/**
 * SQL: true if the lane is in one of the partitions of a mask, one bit each. Computed only in SQL, so that table rows
 * and delivery rows always agree: both are the same bytes of utf8mb4. A mask costs the same for one partition as for
 * all but one.
 */
function inPartitions(lane: string, lease: Pick<Lease, "partitions">): string {
  return `((1 << (CRC32(${lane}) & ${PARTITIONS - 1})) & ${partitionMask(lease)}) <> 0`;
}

/** For a table row `o`: by its aggregate, or by its own id if it has none or order is not kept. */
export function rowInPartitions(context: StatementContext, lease: Pick<Lease, "partitions">): string {
  return inPartitions(`COALESCE(${aggregateKey(context)}, ${messageId(context.mapping)})`, lease);
}

/** For a row of our own table of deliveries. */
export function deliveryInPartitions(lease: Pick<Lease, "partitions">): string {
  return inPartitions("COALESCE(aggregate_key, message_id)", lease);
}
