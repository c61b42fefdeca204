import type { Pool, PoolClient, QueryConfig } from "pg";
import { causeOf, isConnectionError } from "./database-error.ts";

/** BEGIN asks nothing of the database: without an answer by then the line is dead. */
const BEGIN_TIMEOUT_MS = 2500;

/** The connection was lost while COMMIT was under way: the transaction may have been committed, and may not. */
export class CommitInDoubtError extends Error {
  override readonly name = "CommitInDoubtError";

  constructor(cause: unknown) {
    super("The connection was lost while a transaction was being committed.", { cause });
  }
}

/** Images of rows and keys are texts that must read the same later; a pooler may have dropped the session's settings. */
const TEXT_FORMS =
  "SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO'; SET LOCAL intervalstyle = 'postgres'; SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1";

/**
 * Runs `work` in a read-only transaction on one snapshot. The limit is set inside it too, because a pooler in
 * transaction mode may drop session settings.
 */
export function withReadTransaction<T>(
  pool: Pool,
  statementTimeoutMs: number,
  work: (client: PoolClient) => Promise<T>,
) {
  const begin = `BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${Math.floor(statementTimeoutMs)}; SET LOCAL lock_timeout = 1000; ${TEXT_FORMS}`;
  return inTransaction(pool, begin, work);
}

/** Runs `work` in a transaction that waits at most a second for a lock. Throws: CommitInDoubtError. */
export function withWriteTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>) {
  return inTransaction(pool, `BEGIN; SET LOCAL lock_timeout = 1000; ${TEXT_FORMS}`, work);
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
    // On a line that is silent a rollback would only wait as long again; ending the connection rolls back too.
    if (isConnectionError(error)) throw error;
    // A connection whose rollback fails is not usable again; the first error is the one to tell.
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
