import { errorCode } from "#db/postgres/database-error.ts";
import type { Lease } from "../relay-port.ts";
import { quoteLiteral } from "./mapping-sql.ts";
import { outboxLockSql } from "./outbox-lock.ts";
import type { RelayContext } from "./relay-context.ts";

/** Partition 0 is the whole outbox; a share of it would be a row of its own. */
const PARTITION = 0;
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Takes the lease when nobody's is live, raises its epoch and ends all claims of earlier terms in the same transaction.
 * Index: primary key of lease (outbox, partition); claim_outbox_idx.
 * Race: a claim of the old owner that is being committed right now. Claims hold the outbox's advisory lock shared, this
 * holds it exclusively, so that the DELETE sees every one; and a claim that starts later sees the new epoch. A settle
 * that holds its claim row is waited for by the DELETE, and a later one finds its claim gone and writes nothing.
 */
export async function acquireLease(
  context: RelayContext,
  input: { owner: string; leaseMs: number },
): Promise<(Lease & { orphaned: string[] }) | null> {
  try {
    return await tryToAcquire(context, input);
  } catch (error) {
    // The old owner, or an operator, is in the middle of a statement: ask again in a moment.
    if (errorCode(error) === LOCK_NOT_AVAILABLE) return null;
    throw error;
  }
}

async function tryToAcquire(
  context: RelayContext,
  input: { owner: string; leaseMs: number },
): Promise<(Lease & { orphaned: string[] }) | null> {
  const { outbox } = context;
  const values = [outbox, PARTITION];
  return context.sessions.transaction({
    work: async (session) => {
      const live = await session.query(
        "lease-live",
        "SELECT 1 FROM outbox_console.lease WHERE outbox = $1 AND partition = $2 AND until > clock_timestamp() AND owner <> $3",
        [...values, input.owner],
      );
      if (live.rowCount > 0) return null;
      await session.script(outboxLockSql(outbox, "exclusive"));
      const taken = await session.query(
        "lease-take",
        `INSERT INTO outbox_console.lease AS l (outbox, partition, owner, epoch, until)
         VALUES ($1, $2, $3, 1, clock_timestamp() + $4::float8 * interval '1 ms')
         ON CONFLICT (outbox, partition) DO UPDATE
           SET owner = excluded.owner, epoch = l.epoch + 1, until = clock_timestamp() + $4::float8 * interval '1 ms'
           WHERE l.until <= clock_timestamp() OR l.owner = excluded.owner
         RETURNING epoch::text`,
        [...values, input.owner, input.leaseMs],
      );
      const epoch = taken.rows[0]?.[0];
      if (!epoch) return null;
      const ended = await session.query(
        "lease-end-claims",
        `WITH ended AS (DELETE FROM outbox_console.claim WHERE outbox = $1 RETURNING message_ids)
         SELECT unnest(message_ids) FROM ended`,
        [outbox],
      );
      const orphaned = ended.rows.map(([id]) => id ?? "");
      return { outbox, owner: input.owner, epoch: Number(epoch), leaseMs: input.leaseMs, orphaned };
    },
  });
}

/** Extends the term, also when it ran out and nobody took it: its claims are still there. False when it is over. */
export async function renewLease(context: RelayContext, lease: Lease): Promise<boolean> {
  const { rowCount } = await context.sessions.transaction({
    work: (session) =>
      session.query(
        "lease-renew",
        `UPDATE outbox_console.lease SET until = clock_timestamp() + $5::float8 * interval '1 ms'
         WHERE outbox = $1 AND partition = $2 AND owner = $3 AND epoch = $4`,
        [lease.outbox, PARTITION, lease.owner, lease.epoch, lease.leaseMs],
      ),
  });
  return rowCount === 1;
}

/** Lets the next owner in at once. The row stays: it remembers the epoch. */
export async function releaseLease(context: RelayContext, lease: Lease): Promise<void> {
  await context.sessions.transaction({
    work: (session) =>
      session.query(
        "lease-release",
        `UPDATE outbox_console.lease SET until = clock_timestamp()
         WHERE outbox = $1 AND partition = $2 AND owner = $3 AND epoch = $4`,
        [lease.outbox, PARTITION, lease.owner, lease.epoch],
      ),
  });
}

/** "true" while the term lasts, as an expression of a claim's opening, after the advisory lock was taken. */
export function leaseHoldsSql(lease: Lease): string {
  return `(EXISTS (SELECT FROM outbox_console.lease
    WHERE outbox = ${quoteLiteral(lease.outbox)} AND partition = ${PARTITION} AND owner = ${quoteLiteral(lease.owner)}
      AND epoch = ${lease.epoch} AND until > clock_timestamp()))::text`;
}
