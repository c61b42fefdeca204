import { causeOf } from "#db/stores/shared/connection/driver-error.ts";
import { CommitInDoubtError } from "../../shared/connection/commit-in-doubt-error.ts";
import { isConnectionError, isOutdated, isTableChanged } from "./database-error.ts";
import type { Link } from "./link.ts";
import type { Pool } from "./pool.ts";
import { type Session, sessionOn } from "./session.ts";

/** BEGIN needs no work from the database: without an answer within this time, ms, the connection is dead. */
const BEGIN_TIMEOUT_MS = 2500;

/**
 * Runs `work` in a read-only transaction on one snapshot, which is taken here and not at the first read. MySQL ends a
 * read that takes longer than the limit, MariaDB any statement. Runs it once more if a table was changed or replaced
 * since the snapshot, as a migration does at any moment.
 */
export function withReadTransaction<T>(
  pool: Pool,
  statementTimeoutMs: number,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const begin =
    "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY";
  const read = () => inTransaction(pool, { begin, statementTimeoutMs }, work);
  return read().catch((error: unknown) => {
    if (!isTableChanged(error)) throw error;
    return read();
  });
}

/** Runs `work` in a READ COMMITTED transaction that waits at most 1 s for a lock. Throws CommitInDoubtError. */
export function withWriteTransaction<T>(
  pool: Pool,
  work: (session: Session) => Promise<T>,
  statementTimeoutMs = pool.statementTimeoutMs,
): Promise<T> {
  return inTransaction(pool, { begin: "START TRANSACTION READ WRITE", statementTimeoutMs }, work);
}

const ROLLED_BACK = new Error("Rolled back on purpose.");

/** Runs `work` as withWriteTransaction does, and takes back all that it wrote. Throws what `work` throws. */
export async function tryToWrite(pool: Pool, work: (session: Session) => Promise<unknown>): Promise<void> {
  await withWriteTransaction(pool, async (session) => {
    await work(session);
    throw ROLLED_BACK;
  }).catch((error: unknown) => {
    if (error !== ROLLED_BACK) throw error;
  });
}

/** Runs `work` outside a transaction: each statement is committed separately. */
export async function withSession<T>(pool: Pool, work: (session: Session) => Promise<T>): Promise<T> {
  const link = await pool.connect();
  let broken = false;
  try {
    const limiting = link.limiting(pool.statementTimeoutMs);
    if (limiting) await link.send(limiting);
    return await work(sessionOn(link, pool));
  } catch (error) {
    broken = isConnectionError(error) || isOutdated(error);
    throw causeOf(error);
  } finally {
    pool.release(link, broken);
  }
}

async function inTransaction<T>(
  pool: Pool,
  { begin, statementTimeoutMs }: { begin: string; statementTimeoutMs: number },
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const link = await pool.connect();
  let broken = true;
  try {
    await link.send(link.limiting(statementTimeoutMs) + begin, BEGIN_TIMEOUT_MS);
    const result = await work(sessionOn(link, pool));
    await commit(link);
    broken = false;
    return result;
  } catch (thrown) {
    const error = causeOf(thrown);
    broken = await rollBack(link, error);
    throw error;
  } finally {
    pool.release(link, broken);
  }
}

/** True if the connection is of no more use: it was lost, or the rollback failed. */
export async function rollBack(link: Link, error: unknown, rollback = "ROLLBACK"): Promise<boolean> {
  // On a silent connection a rollback would only wait as long again; closing the connection rolls back too.
  if (link.lost || isConnectionError(error) || isOutdated(error)) return true;
  return link.send(rollback).then(
    () => false,
    () => true,
  );
}

async function commit(link: Link): Promise<void> {
  try {
    await link.send("COMMIT");
  } catch (error) {
    throw isConnectionError(error) ? new CommitInDoubtError(error) : error;
  }
}
