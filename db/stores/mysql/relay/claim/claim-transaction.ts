import { type Lease, LeaseLostError } from "#db/stores/port/relay/lease.ts";
import type { Result } from "../../connection/session.ts";
import { quoteLiteral } from "../../tables/mapping-sql.ts";
import { outboxLockSql } from "../../tables/outbox-lock.ts";
import { failUnless } from "../fail-unless.ts";
import { leaseHoldsSql } from "../lease/term-sql.ts";
import { ownName, type RelayContext } from "../relay-context.ts";

/**
 * Statements before a claim's read, in its round trip: the lock, then the lease check. The check is a separate
 * statement, so its snapshot is later than the lock. `holds`: SQL, a further condition of the claim.
 */
export function claimOpening(context: RelayContext, lease: Lease, holds = context.guard.holdsSql): string[] {
  return [
    outboxLockSql(context.own, context.outbox, "shared"),
    `SELECT ${leaseHoldsSql(context, lease)} AND ${holds}, UNIX_TIMESTAMP(SYSDATE(6)) * 1000`,
  ];
}

/**
 * The same for a script that ends with COMMIT: it fails, and writes nothing, if the lease is over, the lock has no row
 * or `holds` is false. See `isFailed`.
 */
export function fencedOpening(context: RelayContext, lease: Lease, holds: string): string[] {
  const { own, outbox } = context;
  const locked = `EXISTS (SELECT 1 FROM ${ownName(own.outboxLock)} WHERE outbox = ${quoteLiteral(outbox)})`;
  return [
    outboxLockSql(own, outbox, "shared"),
    `SELECT ${failUnless(`${leaseHoldsSql(context, lease)} AND ${locked} AND ${holds}`)}`,
  ];
}

/** Throws LeaseLostError. The database clock, ms since 1970. */
export function readOpening([lock, facts]: readonly Result[]): number {
  const [holds, nowMs] = facts?.rows[0] ?? [];
  // Without its row there is no lock, and the lease's next owner could miss the claim.
  if (holds !== "1" || lock?.rows.length !== 1) throw new LeaseLostError("The lease of this relay is over.");
  return Number(nowMs ?? 0);
}

/** Statement that writes the claim of messages read in the same transaction. */
export function insertClaim(
  { own }: RelayContext,
  lease: Lease,
  { token, ids, alone = false }: { token: string; ids: readonly string[]; alone?: boolean },
): string {
  const texts = [token, lease.outbox, lease.owner, JSON.stringify(ids)].map(quoteLiteral);
  return `INSERT INTO ${ownName(own.claim)} (token, outbox, owner, message_ids, epoch, alone, started_at)
    VALUES (${texts.join(", ")}, ${lease.epoch}, ${alone}, UTC_TIMESTAMP(6))`;
}
