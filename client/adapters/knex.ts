import type { Knex } from "knex";
import { type Adapter, type Dialect, OPEN, refused } from "../sql/adapter.ts";
import { mysqlText } from "../sql/mysql-text.ts";

type Row = Record<string, unknown>;

/** Knex. `tx` is the `trx` of `knex.transaction`; `db` is the root `knex`. */
export function knex({ dialect = "postgres" }: { dialect?: Dialect } = {}): Adapter<Knex.Transaction, Knex> {
  return {
    name: "Knex",
    begins: "transaction",
    dialect,
    run: async (handle, statement) => {
      if (dialect === "mysql") return { rows: mysqlRows(await handle.raw(mysqlText(statement))) };
      const { parts, values } = statement;
      const text = parts.map((part) => part.replaceAll("?", "\\?")).join("?");
      return { rows: postgresRows(await handle.raw(text, values as Knex.Value[])) };
    },
    stateOf: (handle) => {
      const { isTransaction, isCompleted } = (handle ?? {}) as Partial<Knex.Transaction>;
      return isTransaction === true && !isCompleted?.call(handle)
        ? OPEN
        : refused(
            "This is not an open transaction of Knex; it may be Knex itself, or a transaction that has ended. Pass the trx of knex.transaction(async (trx) => …).",
          );
    },
    transaction: (db, work) => db.transaction(work),
  };
}

/** pg's result, or the rows alone, as a `postProcessResponse` may give them. */
function postgresRows(result: Row[] | { rows?: Row[] }): Row[] {
  return Array.isArray(result) ? result : (result.rows ?? []);
}

/** The first of mysql2's pair, which is a header where there are no rows. */
function mysqlRows([first]: readonly unknown[]): Row[] {
  return Array.isArray(first) ? first : [];
}
