import { type Adapter, OPEN, refused } from "../sql/adapter.ts";
import { questioned } from "../sql/statement.ts";

/** An EntityManager of one of MikroORM's SQL drivers, as far as it is used. */
interface MikroManager {
  isInTransaction(): boolean;
  execute(query: string, params: unknown[], method: "all"): Promise<unknown>;
  fork(): MikroManager;
  // biome-ignore lint/suspicious/noExplicitAny: MikroORM hands over a manager of the type it was called on
  transactional<T>(work: (em: any) => Promise<T>): Promise<T>;
}

/**
 * MikroORM over Postgres: `mikroOrm<EntityManager>()`. `tx` is the manager of `em.transactional`. The event is written at once,
 * entities when MikroORM flushes, both in this transaction.
 */
export function mikroOrm<E extends MikroManager>(): Adapter<E, E> {
  return {
    name: "MikroORM",
    dialect: "postgres",
    run: async (handle, statement) => {
      const rows = await handle.execute(questioned(statement), [...statement.values], "all");
      const found = Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [];
      return { rows: found, affected: found.length };
    },
    stateOf: (handle) =>
      (handle as Partial<MikroManager> | null)?.isInTransaction?.() === true
        ? OPEN
        : refused(
            "This EntityManager of MikroORM is not in a transaction. Pass the em of em.transactional(async (em) => …).",
          ),
    transaction: (db, work) => db.fork().transactional(work),
  };
}
