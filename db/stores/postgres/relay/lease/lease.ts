import type { AcquiredLease, Lease, LeaseRequest } from "#db/stores/port/relay/lease.ts";
import type { SeenTerm } from "#db/stores/port/relay/share-view.ts";
import type { RelaySession } from "#db/stores/postgres/connection/sessions.ts";
import { acceptedNow } from "#db/stores/postgres/tables/mapping-holds.ts";
import { outboxLockSql } from "#db/stores/postgres/tables/outbox-lock.ts";
import { errorCode } from "#db/stores/shared/connection/driver-error.ts";
import { choosePartitions, type LeaseRow } from "#db/stores/shared/relay/choose-partitions.ts";
import { PARTITIONS } from "#domain/relay/partitions.ts";
import type { RelayContext } from "../relay-context.ts";
import { endOrphanedClaims } from "./orphans.ts";
import { recordOrphans } from "./suspects.ts";

/**
 * Lock timeout or deadlock: the old owner or an operator is in the middle of a statement, or an owner assumed dead has
 * renewed.
 */
const NOT_NOW = new Set(["55P03", "40P01"]);

/**
 * Begins a term in one transaction: takes free partitions, keeps or gives up the owner's own, raises the epoch and ends
 * claims without a live term.
 * Index: primary key of lease (outbox, partition); claim_outbox_idx.
 * Race: a claim of an old owner that is being committed. Claims hold the outbox's advisory lock shared, this holds it
 * exclusively, so the DELETE sees every claim; a claim that starts later sees the new epoch. The DELETE waits for a
 * settle that holds its claim row; a later settle finds its claim gone and writes nothing. If an owner renews its
 * expired lease at the same moment, both write the same rows, and the second finds them changed.
 */
export async function acquireLease(context: RelayContext, request: LeaseRequest): Promise<AcquiredLease | null> {
  try {
    return await tryToAcquire(context, request);
  } catch (error) {
    if (error instanceof RenewedMeanwhile || NOT_NOW.has(errorCode(error) ?? "")) return null;
    throw error;
  }
}

class RenewedMeanwhile extends Error {}

async function tryToAcquire(context: RelayContext, request: LeaseRequest): Promise<AcquiredLease | null> {
  const { outbox } = context;
  const { owner, leaseMs } = request;
  return context.sessions.transaction({
    work: async (session) => {
      if (choosePartitions(await readRows(session, outbox), request).length === 0) return null;
      await session.script(outboxLockSql(outbox, "exclusive"));
      const rows = await readRows(session, outbox);
      const partitions = choosePartitions(rows, request);
      if (partitions.length === 0) return null;
      const epoch = 1 + Math.max(0, ...rows.map((row) => row.epoch));
      const taken = await session.query("lease-take", TAKE, [outbox, owner, list(partitions), epoch, leaseMs]);
      if (taken.rows.filter(([mine]) => mine === "true").length !== partitions.length) throw new RenewedMeanwhile();
      const orphaned = await endOrphanedClaims(session, outbox);
      // Suspects need the table's rows, which show nothing without marks.
      if (context.mark !== "none") await recordOrphans(context, session, orphaned, owner);
      return { outbox, owner, epoch, partitions, leaseMs, orphaned };
    },
  });
}

async function readRows(session: RelaySession, outbox: string): Promise<LeaseRow[]> {
  const { rows } = await session.query(
    "lease-rows",
    "SELECT partition::text, owner, epoch::text, (until > clock_timestamp())::text FROM outbox_console.lease WHERE outbox = $1 ORDER BY partition",
    [outbox],
  );
  return rows.map(([partition, owner, epoch, live]) => ({
    partition: Number(partition),
    owner: owner ?? "",
    epoch: Number(epoch),
    live: live === "true",
  }));
}

/**
 * Writes all rows in order: those of the term, those the owner gives up, and expired ones. The epoch of expired rows is
 * raised too, so that a waking owner cannot renew and learns that its claims were ended.
 */
const TAKE = `
INSERT INTO outbox_console.lease AS l (outbox, partition, owner, epoch, until, length_ms)
SELECT $1, p, CASE WHEN p = ANY ($3::int[]) THEN $2 ELSE '' END, $4::bigint,
  clock_timestamp() + CASE WHEN p = ANY ($3::int[]) THEN $5::float8 ELSE 0 END * interval '1 ms', $5::float8
FROM generate_series(0, ${PARTITIONS - 1}) p ORDER BY p
ON CONFLICT (outbox, partition) DO UPDATE
  SET owner = CASE WHEN excluded.owner <> '' THEN excluded.owner WHEN l.owner = $2 THEN '' ELSE l.owner END,
    epoch = excluded.epoch, length_ms = excluded.length_ms, until = CASE WHEN excluded.owner <> '' THEN excluded.until ELSE least(l.until, clock_timestamp()) END
  WHERE l.until <= clock_timestamp() OR l.owner = $2
RETURNING (l.owner = $2)::text`;

/**
 * Extends the term, even an expired one if no other has begun: its claims still exist. False if the term is over, or if
 * the table or the accepted mapping has changed; that check is in the same statement and costs no further one.
 */
export async function renewLease(context: RelayContext, lease: Lease): Promise<boolean> {
  const { accepted } = context;
  const still = accepted && acceptedNow(accepted, lease.outbox, 6);
  const { rowCount } = await context.sessions.urgent.single(
    "lease-renew",
    `UPDATE outbox_console.lease SET until = clock_timestamp() + $5::float8 * interval '1 ms'
     WHERE outbox = $1 AND partition = ANY ($2::int[]) AND owner = $3 AND epoch = $4${still ? ` AND ${still.sql}` : ""}`,
    [lease.outbox, list(lease.partitions), lease.owner, lease.epoch, lease.leaseMs, ...(still?.values ?? [])],
  );
  return rowCount === lease.partitions.length;
}

/**
 * `RelayTable.endTerm`. Index: primary key of lease.
 * Race: a concurrent renewal. The second writer sees the first one's row, not the one it read itself.
 */
export async function endTerm({ outbox, sessions }: RelayContext, { owner, epoch, seen }: SeenTerm): Promise<boolean> {
  const { rowCount } = await sessions.single(
    "lease-end",
    `UPDATE outbox_console.lease SET until = clock_timestamp()
     WHERE outbox = $1 AND owner = $2 AND epoch = $3 AND until = ANY ($4::timestamptz[])`,
    [outbox, owner, epoch, seen],
  );
  return rowCount > 0;
}

/** Ends the lease at once, so other owners can take over. The rows stay: they hold the epoch. */
export async function releaseLease(context: RelayContext, lease: Lease): Promise<void> {
  await context.sessions.urgent.transaction({
    work: (session) =>
      session.query(
        "lease-release",
        `UPDATE outbox_console.lease SET until = clock_timestamp()
         WHERE outbox = $1 AND owner = $2 AND epoch = $3 AND until > clock_timestamp()`,
        [lease.outbox, lease.owner, lease.epoch],
      ),
  });
}

function list(partitions: readonly number[]): string {
  return `{${partitions.join(",")}}`;
}
