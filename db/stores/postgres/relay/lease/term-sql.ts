import type { Lease } from "#db/stores/port/relay/lease.ts";
import type { OneTripStep } from "#db/stores/postgres/connection/sessions.ts";
import type { RelayContext } from "../relay-context.ts";

/**
 * SQL: "true" while the term covers all its partitions and the table is the accepted one. Run it after taking the
 * advisory lock. Parameters: the outbox, and from `owner` on the others of `termOf`.
 */
export function leaseHoldsSql({ mappingHolds }: RelayContext, owner = 2): string {
  return `((SELECT count(*) FROM outbox_console.lease
    WHERE outbox = $1 AND owner = $${owner} AND epoch = $${owner + 1}::bigint AND until > clock_timestamp()) = $${owner + 2}::bigint AND ${mappingHolds})::text`;
}

export function termOf({ outbox, owner, epoch, partitions }: Lease): string[] {
  return [outbox, owner, String(epoch), String(partitions.length)];
}

export function leaseHolds(context: RelayContext, lease: Lease): OneTripStep {
  return { name: "outbox_console_holds", text: `SELECT ${leaseHoldsSql(context)}`, values: termOf(lease) };
}
