import type { Lease } from "#db/stores/port/relay/lease.ts";
import { quoteLiteral } from "../../tables/mapping-sql.ts";
import { ownName, type StatementContext } from "../relay-context.ts";

/**
 * SQL: true while the term covers all its partitions. Run it after taking the outbox's lock. Index: primary key of
 * lease.
 */
export function leaseHoldsSql({ own }: StatementContext, lease: Lease): string {
  return `(SELECT COUNT(*) FROM ${ownName(own.lease)} WHERE ${ofTerm(lease)} AND until > UTC_TIMESTAMP(6)) = ${lease.partitions.length}`;
}

/** SQL: a lease row of the term. */
export function ofTerm({ outbox, owner, epoch }: Lease): string {
  return `outbox = ${quoteLiteral(outbox)} AND owner = ${quoteLiteral(owner)} AND epoch = ${epoch}`;
}
