import { ClientError } from "../errors.ts";
import type { Adapter, HandleState } from "./adapter.ts";
import { saysNoTransaction } from "./database-errors.ts";
import { quoteTable } from "./names.ts";
import { raw, sql } from "./statement.ts";

/** `strict`: asks the database even where the handle says that it is open; one statement more, two in MySQL. */
export const GUARDS = ["handle", "strict"] as const;
export type Guard = (typeof GUARDS)[number];

/** Refuses a handle that says itself that it is not an open transaction. */
export function refuseClosed<Tx, Db>(via: Adapter<Tx, Db>, tx: Tx): HandleState {
  const state = via.stateOf(tx);
  if (state.open === false) throw new ClientError("not_in_transaction", state.why);
  return state;
}

/**
 * Refuses a handle that is not an open transaction, before anything is written. Comparing the times of statement and
 * transaction does not show it: over the extended protocol each autocommitted statement looks like a transaction.
 */
export async function requireTransaction<Tx, Db>(
  via: Adapter<Tx, Db>,
  tx: Tx,
  { table, guard }: { table: string; guard: Guard },
): Promise<void> {
  const state = refuseClosed(via, tx);
  if (state.open === true && !state.mayHaveEnded && guard === "handle") return;
  try {
    await askDatabase(via, tx, table);
  } catch (error) {
    if (!saysNoTransaction(error)) throw error;
    const why = `This ${via.name} handle has no open transaction, so the event would be written alone. Begin one first.`;
    throw new ClientError("not_in_transaction", why, { cause: error });
  }
}

/**
 * Both statements fail outside a transaction and change nothing inside one. A role with INSERT only may take the lock.
 */
async function askDatabase<Tx, Db>(via: Adapter<Tx, Db>, tx: Tx, table: string): Promise<void> {
  if (via.dialect === "postgres") {
    await via.run(tx, sql`LOCK TABLE ${quoteTable(table, "postgres")} IN ROW EXCLUSIVE MODE`);
    return;
  }
  const name = raw("outbox_client_guard");
  await inTurn(tx as object, async () => {
    await via.run(tx, sql`SAVEPOINT ${name}`);
    await via.run(tx, sql`RELEASE SAVEPOINT ${name}`);
  });
}

const asking = new WeakMap<object, Promise<void>>();

/** Of two calls at the same time the first would release the savepoint of the second, which would find none. */
function inTurn(tx: object, ask: () => Promise<void>): Promise<void> {
  const before = asking.get(tx) ?? Promise.resolve();
  const asked = before.then(ask, ask);
  asking.set(tx, asked);
  return asked;
}
