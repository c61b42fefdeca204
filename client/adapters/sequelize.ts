import type { Sequelize, Transaction } from "sequelize";
import { type Adapter, type Dialect, OPEN, refused } from "../sql/adapter.ts";

/** What Sequelize 6 has on its transactions, and does not declare. */
interface Bound {
  sequelize: Sequelize;
  finished?: string;
}

/** Sequelize 6 over Postgres or MySQL. `tx` is the `t` of `sequelize.transaction`; `db` is `sequelize`. */
export function sequelize({ dialect = "postgres" }: { dialect?: Dialect } = {}): Adapter<Transaction, Sequelize> {
  return {
    name: "Sequelize",
    dialect,
    run: async (handle, { parts, values }) => {
      const inTransaction = isTransaction(handle);
      const root = inTransaction ? handle.sequelize : (handle as Sequelize);
      const text = parts
        .map((part) => part.replaceAll("$", "$$$$"))
        .reduce((all, part, index) => `${all}$${index}${part}`);
      const bind = [...values];
      const transaction = inTransaction ? handle : null;
      const [rows, meta] = await root.query(text, bind.length > 0 ? { bind, transaction } : { transaction });
      return { rows: Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [], affected: affectedIn(meta) };
    },
    stateOf: (handle) =>
      isTransaction(handle) && handle.finished === undefined
        ? OPEN
        : refused("This is no open transaction of Sequelize. Pass the t of sequelize.transaction(async (t) => …)."),
    transaction: (db, work) => db.transaction(work),
  };
}

/** pg's result; of MySQL the header, or for an INSERT the number alone. */
function affectedIn(meta: unknown): number {
  if (typeof meta === "number") return meta;
  const { rowCount, affectedRows } = (meta ?? {}) as { rowCount?: number; affectedRows?: number };
  return rowCount ?? affectedRows ?? 0;
}

function isTransaction(handle: unknown): handle is Transaction & Bound {
  return typeof handle === "object" && handle !== null && "sequelize" in handle && "commit" in handle;
}
