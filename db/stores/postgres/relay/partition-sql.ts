import { PARTITIONS } from "#domain/relay/partitions.ts";
import { aggregateKey, messageId, type StatementContext } from "./relay-context.ts";

/**
 * SQL: true if the lane is in one of the partitions of a mask, one bit each. Computed only in SQL, so that table rows
 * and delivery rows always agree. A mask costs the same for one partition as for all but one. COLLATE "C" hashes the
 * bytes, also where the column's collation treats different bytes as equal.
 */
function inPartitions(lane: string, maskParameter: number): string {
  const partition = `(hashtextextended((${lane}) COLLATE "C", 0) & ${PARTITIONS - 1})::int`;
  return `((1::bigint << ${partition}) & $${maskParameter}::bigint) <> 0`;
}

/** For a table row `o`: by its aggregate, or by its own id if it has none or order is not kept. */
export function rowInPartitions(context: StatementContext, maskParameter: number): string {
  return inPartitions(`coalesce(${aggregateKey(context)}, ${messageId(context.mapping)})`, maskParameter);
}

/** For a row of outbox_console.delivery. */
export function deliveryInPartitions(maskParameter: number): string {
  return inPartitions("coalesce(aggregate_key, message_id)", maskParameter);
}
