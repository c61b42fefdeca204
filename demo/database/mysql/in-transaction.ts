import type { Pool, PoolConnection } from "mysql2/promise";

const DEADLOCK = 1213;
const MOST_TRIES = 3;

/** Runs `work` in one transaction, which commits all of its writes or none, and again after a deadlock. */
export function inTransaction<T>(pool: Pool, work: (db: PoolConnection) => Promise<T>): Promise<T> {
  return repeatAfterDeadlock(() => runOnce(pool, work));
}

/** InnoDB ends a deadlock by rolling one of the transactions back; that one runs again. */
export async function repeatAfterDeadlock<T>(transaction: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (errorNumber(error) !== DEADLOCK || tries === MOST_TRIES) throw error;
    }
  }
}

async function runOnce<T>(pool: Pool, work: (db: PoolConnection) => Promise<T>): Promise<T> {
  const db = await pool.getConnection();
  try {
    await db.beginTransaction();
    const result = await work(db);
    await db.commit();
    db.release();
    return result;
  } catch (error) {
    // A connection that cannot roll back is closed, which also rolls back.
    await db.rollback().then(
      () => db.release(),
      () => db.destroy(),
    );
    throw error;
  }
}

/** The server's number of an error; undefined for one that is not the server's. */
function errorNumber(error: unknown): number | undefined {
  return error instanceof Error && "errno" in error && typeof error.errno === "number" ? error.errno : undefined;
}
