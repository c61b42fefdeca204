import { cells } from "../../sql/cells.ts";
import { ROLLED_BACK } from "../../sql/database-errors.ts";

/** An `sql` of postgres.js, as far as it is used. */
export interface Unsafe {
  unsafe(text: string, values?: string[]): PromiseLike<readonly object[]>;
}

/**
 * Rejects if `begin` resolves and nothing is committed. Race: a pooler in transaction mode gives the transaction a
 * connection that lacks postgres.js' prepared COMMIT. It fails, postgres.js repeats it in the failed transaction, and
 * takes Postgres' answer ROLLBACK for success. So Postgres is asked what became of the transaction. `sqlOf` gives the
 * `sql` of a transaction.
 */
export async function confirmed<Tx, T>(
  {
    root,
    sqlOf,
    begin,
  }: { root: Unsafe; sqlOf(tx: Tx): Unsafe; begin(work: (tx: Tx) => Promise<T>): Promise<unknown> },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  let id: unknown = null;
  const result = await begin(async (tx) => {
    const done = await work(tx);
    id = answer(await sqlOf(tx).unsafe("SELECT CAST(txid_current_if_assigned() AS text) AS id"));
    return done;
  });
  if (id === null) return result as T;
  const status = answer(await root.unsafe("SELECT txid_status(CAST($1 AS bigint)) AS status", [String(id)]));
  if (status === "committed") return result as T;
  const why =
    "The transaction was rolled back at its commit. Behind a pooler in transaction mode, open postgres.js with prepare: false.";
  throw Object.assign(new Error(why), { code: ROLLED_BACK });
}

const answer = ([row]: readonly object[]): unknown => cells(row ?? {})[0] ?? null;
