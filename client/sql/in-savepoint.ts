import type { Adapter } from "./adapter.ts";
import { raw, sql } from "./statement.ts";

let count = 0;

/** Runs `work`; if it rejects, undoes its changes, and the transaction continues. */
export function inSavepoint<T, Tx, Db>(via: Adapter<Tx, Db>, tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  return via.savepoint ? via.savepoint(tx, work) : byStatements(via, tx, work);
}

/**
 * Each savepoint has a unique name: of two with one name MySQL keeps only the later, and Postgres rolls back to the
 * later, also for the outer one.
 */
export async function byStatements<T, Tx, Db>(
  via: Pick<Adapter<Tx, Db>, "run">,
  tx: Tx,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  count += 1;
  const name = raw(`outbox_client_${count}`);
  await via.run(tx, sql`SAVEPOINT ${name}`);
  try {
    const result = await work(tx);
    await via.run(tx, sql`RELEASE SAVEPOINT ${name}`);
    return result;
  } catch (error) {
    // If this fails too, the transaction is lost with everything in it.
    await via.run(tx, sql`ROLLBACK TO SAVEPOINT ${name}`).catch(() => undefined);
    throw error;
  }
}
