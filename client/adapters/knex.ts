import type { Knex } from "knex";
import { type Adapter, type Dialect, OPEN, refused, type SqlResult } from "../sql/adapter.ts";
import { mysqlText } from "../sql/mysql-text.ts";

type Row = Record<string, unknown>;

/** Knex. `tx` is the `trx` of `knex.transaction`; `db` is the root `knex`. */
export function knex({ dialect = "postgres" }: { dialect?: Dialect } = {}): Adapter<Knex.Transaction, Knex> {
  return {
    name: "Knex",
    begins: "transaction",
    dialect,
    run: async (handle, statement) => {
      if (dialect === "mysql") return toResult(await handle.raw(mysqlText(statement)));
      const { parts, values } = statement;
      const text = parts.map((part) => part.replaceAll("?", "\\?")).join("?");
      return toResult(await handle.raw(text, values as Knex.Value[]));
    },
    stateOf: (handle) => {
      const { isTransaction, isCompleted } = (handle ?? {}) as Partial<Knex.Transaction>;
      return isTransaction === true && !isCompleted?.call(handle)
        ? OPEN
        : refused(
            "This is no open transaction of Knex, such as Knex itself or one that has ended. Pass the trx of knex.transaction(async (trx) => …).",
          );
    },
    transaction: (db, work) => db.transaction(work),
  };
}

/** pg's result, or mysql2's pair. */
function toResult(
  result: { rows?: Row[]; rowCount?: number | null } | (Row[] | { affectedRows: number })[],
): SqlResult {
  if (!Array.isArray(result)) return { rows: result.rows ?? [], affected: result.rowCount ?? 0 };
  const [first] = result;
  if (Array.isArray(first)) return { rows: first, affected: first.length };
  return { rows: [], affected: first?.affectedRows ?? 0 };
}
