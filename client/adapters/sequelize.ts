import type { QueryTypes, Sequelize, Transaction } from "sequelize";
import { type Adapter, type Dialect, OPEN, refused } from "../sql/adapter.ts";
import { mysqlText } from "../sql/mysql-text.ts";
import type { Statement } from "../sql/statement.ts";

/** Members of Sequelize 6's transactions that it does not declare. */
interface Bound {
  sequelize: Sequelize;
  finished?: string;
}

/**
 * In place of Sequelize's settings `query` and `retry`. A statement that has failed cannot be repeated in its
 * transaction: Postgres would refuse it, and the reason why it failed would be lost.
 */
const USUAL_QUERY = {
  ...({ type: "RAW" as QueryTypes.RAW, raw: true, nest: false, plain: false } as const),
  retry: { max: 1 },
};

/** Sequelize 6 over Postgres or MySQL. `tx` is the `t` of `sequelize.transaction`; `db` is `sequelize`. */
export function sequelize({ dialect = "postgres" }: { dialect?: Dialect } = {}): Adapter<Transaction, Sequelize> {
  return {
    name: "Sequelize",
    begins: "transaction",
    dialect,
    run: async (handle, statement) => {
      const inTransaction = isTransaction(handle);
      const root = inTransaction ? handle.sequelize : (handle as Sequelize);
      const transaction = inTransaction ? handle : null;
      const { text, bind } = dialect === "mysql" ? { text: mysqlText(statement), bind: [] } : bound(statement);
      const options = { ...USUAL_QUERY, transaction, ...(bind.length > 0 ? { bind } : {}) };
      const [rows] = await root.query(text, options);
      return { rows: Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [] };
    },
    stateOf: (handle) =>
      isTransaction(handle) && handle.finished === undefined
        ? OPEN
        : refused("This is no open transaction of Sequelize. Pass the t of sequelize.transaction(async (t) => …)."),
    transaction: (db, work) => db.transaction(work),
  };
}

/** Parameters as `$1`; another dollar sign is written twice. */
function bound({ parts, values }: Statement): { text: string; bind: unknown[] } {
  const [first = "", ...others] = parts.map((part) => (values.length > 0 ? part.replaceAll("$", "$$$$") : part));
  return { text: others.reduce((all, part, index) => `${all}$${index + 1}${part}`, first), bind: [...values] };
}

function isTransaction(handle: unknown): handle is Transaction & Bound {
  return typeof handle === "object" && handle !== null && "sequelize" in handle && "commit" in handle;
}
