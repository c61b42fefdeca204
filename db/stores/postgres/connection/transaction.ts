import type { Pool, PoolClient, QueryConfig } from "pg";
import { causeOf } from "#db/stores/shared/connection/driver-error.ts";
import { CommitInDoubtError } from "../../shared/connection/commit-in-doubt-error.ts";
import { isConnectionError, isOutdated } from "./database-error.ts";
import { TEXT_FORMS } from "./text-forms.ts";

/** BEGIN needs no work from the database: without an answer within this time, ms, the connection is dead. */
const BEGIN_TIMEOUT_MS = 2500;

/** A pooler may have dropped the session's settings. */
const SET_TEXT_FORMS = Object.entries(TEXT_FORMS)
  .map(([name, value]) => `SET LOCAL ${name} = '${value}'`)
  .join("; ");

/**
 * Runs `work` in a read-only transaction on one snapshot. The time limit is also set inside it, because a pooler in
 * transaction mode may drop session settings.
 */
export function withReadTransaction<T>(
  pool: Pool,
  statementTimeoutMs: number,
  work: (client: PoolClient) => Promise<T>,
) {
  return inTransaction(pool, beginRead(statementTimeoutMs), work);
}

/**
 * Where the statistics know no rows of an outbox in our tables, the planner expects one, keeps it, and compares it with
 * each row of the outbox: seconds, if 100,000 have died since. Without this plan it takes a hash join or the key.
 */
const PLANNER = "SET LOCAL enable_material = off";

const LOCK_TIMEOUT_MS = 1000;

const beginRead = (statementTimeoutMs: number, lockTimeoutMs = LOCK_TIMEOUT_MS) =>
  `BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${Math.floor(statementTimeoutMs)}; SET LOCAL lock_timeout = ${lockTimeoutMs}; ${PLANNER}; ${SET_TEXT_FORMS}`;

/** A read in its own transaction, and what to do if it fails. */
export interface OwnRead {
  /** How long it waits for a lock, ms; default 1 s. */
  lockTimeoutMs?: number | undefined;
  work(client: PoolClient): Promise<void>;
  failed(error: unknown): void;
}

/**
 * Runs reads one after another over one connection, each in a transaction as of withReadTransaction; between two of
 * them is one round trip. Throws only the error of a lost connection.
 */
export async function readInTurn(
  pool: Pool,
  statementTimeoutMs: number,
  next: () => OwnRead | undefined,
): Promise<void> {
  const client = await pool.connect();
  let failure: Error | undefined;
  let open = false;
  try {
    for (let read = next(); read !== undefined; read = next()) {
      try {
        const begin = beginRead(statementTimeoutMs, read.lockTimeoutMs);
        const text = open ? `COMMIT; ${begin}` : begin;
        await client.query({ text, query_timeout: BEGIN_TIMEOUT_MS } as QueryConfig);
        open = true;
        await read.work(client);
      } catch (thrown) {
        const error = causeOf(thrown);
        if (isConnectionError(error)) throw error;
        read.failed(error);
        await client.query("ROLLBACK");
        open = false;
      }
    }
    if (open) await client.query("COMMIT");
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(failure);
  }
}

/**
 * Runs `work` in a transaction that waits at most 1 s for a lock. `flush`: false if a crash of the server may take the
 * commit back, together with all that was committed after it. Throws CommitInDoubtError.
 */
export function withWriteTransaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  { flush = true }: { flush?: boolean } = {},
) {
  const unflushed = flush ? "" : "SET LOCAL synchronous_commit = off; ";
  return inTransaction(pool, `BEGIN; SET LOCAL lock_timeout = 1000; ${unflushed}${SET_TEXT_FORMS}`, work);
}

const ROLLED_BACK = new Error("Rolled back on purpose.");

/** Runs `work` as withWriteTransaction does, and takes back all that it wrote. Throws what `work` throws. */
export async function tryToWrite(pool: Pool, work: (client: PoolClient) => Promise<unknown>): Promise<void> {
  await withWriteTransaction(pool, async (client) => {
    await work(client);
    throw ROLLED_BACK;
  }).catch((error: unknown) => {
    if (error !== ROLLED_BACK) throw error;
  });
}

/** Makes the commit of a transaction that began with `flush: false` wait for the disk after all. */
export async function flushCommit(client: PoolClient): Promise<void> {
  await client.query("SET LOCAL synchronous_commit TO DEFAULT");
}

async function inTransaction<T>(pool: Pool, begin: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query({ text: begin, query_timeout: BEGIN_TIMEOUT_MS } as QueryConfig);
    const result = await work(client);
    await commit(client);
    return result;
  } catch (thrown) {
    const error = causeOf(thrown);
    failure = error instanceof Error ? error : new Error(String(error));
    // On a silent connection a rollback would only wait as long again; closing the connection rolls back too.
    if (isConnectionError(error) || isOutdated(error)) throw error;
    // A connection whose rollback fails is discarded; the first error is the one to report.
    await client.query("ROLLBACK").then(
      () => {
        failure = undefined;
      },
      () => undefined,
    );
    throw error;
  } finally {
    client.release(failure);
  }
}

async function commit(client: PoolClient): Promise<void> {
  try {
    await client.query("COMMIT");
  } catch (error) {
    throw isConnectionError(error) ? new CommitInDoubtError(error) : error;
  }
}
