import type { AcquiredLease, Lease, LeaseRequest } from "#db/stores/port/relay/lease.ts";
import type { SeenTerm } from "#db/stores/port/relay/share-view.ts";
import { choosePartitions, type LeaseRow } from "#db/stores/shared/relay/choose-partitions.ts";
import { ALL_PARTITIONS } from "#domain/relay/partitions.ts";
import { DEADLOCK, errorNumber, isLockTimeout } from "../../connection/database-error.ts";
import { toText } from "../../connection/dialect.ts";
import type { Result, Rows } from "../../connection/session.ts";
import { acceptedNow } from "../../tables/mapping-holds.ts";
import { quoteLiteral } from "../../tables/mapping-sql.ts";
import { ensureOutboxLock, outboxLockSql } from "../../tables/outbox-lock.ts";
import { afterMs, numberLiteral } from "../literals.ts";
import { ownName, type RelayContext } from "../relay-context.ts";
import { endOrphanedClaims } from "./orphans.ts";
import { recordOrphans } from "./suspects.ts";
import { ofTerm } from "./term-sql.ts";

/**
 * Begins a term in one transaction: takes free partitions, keeps or gives up the owner's own, raises the epoch and ends
 * claims without a live term.
 * Index: primary key of lease (outbox, partition); claim_outbox_idx.
 * Race: a claim of an old owner that is being committed. Claims hold the outbox's lock shared, this holds it
 * exclusively, so it sees every claim; a claim that starts later sees the new epoch. It waits for a settle that holds
 * its claim row; a later settle finds its claim gone and writes nothing. An owner that renews its expired lease at the
 * same moment waits for the lease's rows, or is waited for, and the second writer sees the first one's rows.
 * An old owner that is frozen in the middle of a transaction holds its locks for 3 s; then the server ends its
 * connection. Until then this returns null.
 */
export async function acquireLease(context: RelayContext, request: LeaseRequest): Promise<AcquiredLease | null> {
  try {
    return await tryToAcquire(context, request);
  } catch (error) {
    // The old owner or an operator is in the middle of a statement.
    if (isLockTimeout(error) || errorNumber(error) === DEADLOCK) return null;
    throw error;
  }
}

async function tryToAcquire(context: RelayContext, request: LeaseRequest): Promise<AcquiredLease | null> {
  const { outbox, own, sessions } = context;
  const { owner, leaseMs } = request;
  const known = await sessions.single((session) => session.script([leaseRows(context), lockRow(context)]));
  if (choosePartitions(toRows(known[0]), request).length === 0) return null;
  if (known[1]?.rows.length === 0) await sessions.single((session) => ensureOutboxLock(session, outbox));
  return sessions.transaction(
    async (session, [, locked]) => {
      const rows = toRows(locked);
      const partitions = choosePartitions(rows, request);
      if (partitions.length === 0) return null;
      const epoch = 1 + Math.max(0, ...rows.map((row) => row.epoch));
      await session.run(takeStatement(context, { rows, request, partitions, epoch }));
      const orphaned = await endOrphanedClaims(context, session);
      // Suspects need the table's rows, which show nothing without marks.
      if (context.mark !== "none") await recordOrphans(context, session, orphaned, owner);
      return { outbox, owner, epoch, partitions, leaseMs, orphaned };
    },
    { opening: [outboxLockSql(own, outbox, "exclusive"), `${leaseRows(context)} FOR UPDATE`] },
  );
}

/** SYSDATE gives the time after the wait for a lock; our sessions are in UTC. */
function leaseRows({ own, outbox }: RelayContext): string {
  return `SELECT \`partition\`, owner, epoch, until > SYSDATE(6) FROM ${ownName(own.lease)} WHERE outbox = ${quoteLiteral(outbox)} ORDER BY \`partition\``;
}

function lockRow({ own, outbox }: RelayContext): string {
  return `SELECT 1 FROM ${ownName(own.outboxLock)} WHERE outbox = ${quoteLiteral(outbox)}`;
}

function toRows(result: Result | undefined): LeaseRow[] {
  const rows: Rows = result?.rows ?? [];
  return rows.map(([partition, owner, epoch, live]) => ({
    partition: Number(partition),
    owner: owner ?? "",
    epoch: Number(epoch),
    live: live === "1",
  }));
}

/**
 * Writes all rows in order but those of living others: those of the term, those the owner gives up, and expired ones.
 * The epoch of expired rows is raised too, so that a waking owner cannot renew and learns that its claims were ended.
 * The rows are locked, so they are still as they were read.
 */
function takeStatement(
  { own, outbox }: RelayContext,
  taken: { rows: readonly LeaseRow[]; request: LeaseRequest; partitions: readonly number[]; epoch: number },
): string {
  const { rows, request, epoch } = taken;
  const mine = new Set(taken.partitions);
  const known = new Map(rows.map((row) => [row.partition, row]));
  const values = ALL_PARTITIONS.flatMap((partition) => {
    const row = known.get(partition);
    if (!mine.has(partition) && row?.live && row.owner !== request.owner) return [];
    const left = row?.owner === request.owner ? "" : (row?.owner ?? "");
    const owner = mine.has(partition) ? request.owner : left;
    const until = mine.has(partition) ? afterMs(request.leaseMs) : "UTC_TIMESTAMP(6)";
    return [
      `(${quoteLiteral(outbox)}, ${partition}, ${quoteLiteral(owner)}, ${epoch}, ${until}, ${numberLiteral(request.leaseMs)})`,
    ];
  });
  return `INSERT INTO ${ownName(own.lease)} (outbox, \`partition\`, owner, epoch, until, length_ms) VALUES ${values.join(", ")}
    ON DUPLICATE KEY UPDATE owner = VALUES(owner), epoch = VALUES(epoch), length_ms = VALUES(length_ms),
      until = CASE WHEN VALUES(owner) = ${quoteLiteral(request.owner)} THEN VALUES(until) ELSE LEAST(until, VALUES(until)) END`;
}

/**
 * Extends the term, even an expired one if no other has begun: its claims still exist. False if the term is over, or if
 * the table or the accepted mapping has changed; that check is in the same statement and costs no further one.
 */
export async function renewLease(context: RelayContext, lease: Lease): Promise<boolean> {
  const { accepted, own, outbox } = context;
  const still = accepted ? ` AND ${toText(acceptedNow(own, accepted, outbox))}` : "";
  const { affectedRows } = await context.sessions.urgent.single((session) =>
    session.run(
      `UPDATE ${ownName(own.lease)} SET until = ${afterMs(lease.leaseMs)}
       WHERE ${ofTerm(lease)} AND \`partition\` IN (${lease.partitions.join(", ")})${still}`,
    ),
  );
  return affectedRows === lease.partitions.length;
}

/**
 * `RelayTable.endTerm`. Index: primary key of lease.
 * Race: a concurrent renewal. The second writer sees the first one's row, not the one it read itself.
 */
export async function endTerm(
  { own, outbox, sessions }: RelayContext,
  { owner, epoch, seen }: SeenTerm,
): Promise<boolean> {
  const term = `outbox = ${quoteLiteral(outbox)} AND owner = ${quoteLiteral(owner)} AND epoch = ${epoch}`;
  const { affectedRows } = await sessions.single((session) =>
    session.run(
      `UPDATE ${ownName(own.lease)} SET until = UTC_TIMESTAMP(6) WHERE ${term} AND until = ${quoteLiteral(seen)}`,
    ),
  );
  return affectedRows > 0;
}

/** Ends the lease at once, so other owners can take over. The rows stay: they hold the epoch. */
export async function releaseLease({ own, sessions }: RelayContext, lease: Lease): Promise<void> {
  await sessions.urgent.single((session) =>
    session.run(
      `UPDATE ${ownName(own.lease)} SET until = UTC_TIMESTAMP(6) WHERE ${ofTerm(lease)} AND until > UTC_TIMESTAMP(6)`,
    ),
  );
}
