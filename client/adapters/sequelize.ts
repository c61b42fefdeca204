import type { Sequelize, Transaction } from "sequelize";
import { type Adapter, OPEN, refused } from "../sql/adapter.ts";

/** What Sequelize 6 has on its transactions, and does not declare. */
interface Bound {
  sequelize: Sequelize;
  finished?: string;
}

/** Sequelize 6 over Postgres. `tx` is the `t` of `sequelize.transaction`; `db` is `sequelize`. */
export function sequelize(): Adapter<Transaction, Sequelize> {
  return {
    name: "Sequelize",
    dialect: "postgres",
    run: async (handle, { parts, values }) => {
      const inTransaction = isTransaction(handle);
      const root = inTransaction ? handle.sequelize : (handle as Sequelize);
      const text = parts
        .map((part) => part.replaceAll("$", "$$$$"))
        .reduce((all, part, index) => `${all}$${index}${part}`);
      const bind = [...values];
      const transaction = inTransaction ? handle : null;
      const [rows, meta] = await root.query(text, bind.length > 0 ? { bind, transaction } : { transaction });
      const { rowCount } = (meta ?? {}) as { rowCount?: number };
      return { rows: Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [], affected: rowCount ?? 0 };
    },
    stateOf: (handle) =>
      isTransaction(handle) && handle.finished === undefined
        ? OPEN
        : refused("This is no open transaction of Sequelize. Pass the t of sequelize.transaction(async (t) => …)."),
    transaction: (db, work) => db.transaction(work),
  };
}

function isTransaction(handle: unknown): handle is Transaction & Bound {
  return typeof handle === "object" && handle !== null && "sequelize" in handle && "commit" in handle;
}
