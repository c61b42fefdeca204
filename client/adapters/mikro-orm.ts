import { type Adapter, type Dialect, OPEN, refused } from "../sql/adapter.ts";
import { mysqlText } from "../sql/mysql-text.ts";
import { isRead, questioned } from "../sql/statement.ts";

/** An EntityManager of one of MikroORM's SQL drivers, as far as it is used. */
interface MikroManager {
  isInTransaction(): boolean;
  execute(query: string, params: unknown[], method: "all" | "run"): Promise<unknown>;
  fork(): MikroManager;
  // biome-ignore lint/suspicious/noExplicitAny: MikroORM hands over a manager of the type it was called on
  transactional<T>(work: (em: any) => Promise<T>): Promise<T>;
}

/**
 * MikroORM over Postgres, `mikroOrm<EntityManager>()`, or MySQL, `mikroOrm<EntityManager>({ dialect: "mysql" })`. `tx`
 * is the manager of `em.transactional`. The event is written at once, entities when MikroORM flushes, both in this
 * transaction.
 */
export function mikroOrm<E extends MikroManager>({ dialect = "postgres" }: { dialect?: Dialect } = {}): Adapter<E, E> {
  return {
    name: "MikroORM",
    begins: "transactional",
    dialect,
    isAmbient: true,
    run: async (handle, statement) => {
      const isMysql = dialect === "mysql";
      const text = isMysql ? mysqlText(statement) : questioned(statement);
      const values = isMysql ? [] : [...statement.values];
      if (isMysql && !isRead(statement)) {
        await handle.execute(text, values, "run");
        return { rows: [] };
      }
      const rows = await handle.execute(text, values, "all");
      return { rows: Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [] };
    },
    stateOf: (handle) =>
      (handle as Partial<MikroManager> | null)?.isInTransaction?.() === true
        ? OPEN
        : refused(
            "This EntityManager of MikroORM is not in a transaction. Pass the em of em.transactional(async (em) => …).",
          ),
    transaction: (db, work) => db.fork().transactional(work),
    // `transactional` works on a fork: after a failure it drops the entities that the next flush would write.
    savepoint: (tx, work) => tx.transactional(work),
  };
}
