import type { Pool, PoolClient } from "pg";

/**
 * Runs `work` in a read-only transaction on one snapshot. The limit is set inside it too, because a pooler in
 * transaction mode may drop session settings.
 */
export function withReadTransaction<T>(
  pool: Pool,
  statementTimeoutMs: number,
  work: (client: PoolClient) => Promise<T>,
) {
  const begin = `BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${Math.floor(statementTimeoutMs)}`;
  return inTransaction(pool, begin, work);
}

/** Runs `work` in a transaction that waits at most a second for a lock. */
export function withWriteTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>) {
  return inTransaction(pool, "BEGIN; SET LOCAL lock_timeout = 1000", work);
}

async function inTransaction<T>(pool: Pool, begin: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
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
