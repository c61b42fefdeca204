import type { Knex } from "knex";
import { ClientError } from "../errors.ts";
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
      if (dialect === "mysql") return mysqlResult(await handle.raw(mysqlText(statement)));
      const { parts, values } = statement;
      const text = parts.map((part) => part.replaceAll("?", "\\?")).join("?");
      return postgresResult(await handle.raw(text, values as Knex.Value[]));
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

/** pg's result, or the rows alone, as a `postProcessResponse` may give them. */
function postgresResult(result: Row[] | { rows?: Row[]; rowCount?: number | null }): SqlResult {
  if (Array.isArray(result)) return { rows: result, affected: result.length };
  return { rows: result.rows ?? [], affected: result.rowCount ?? 0 };
}

/** mysql2's pair: rows or a header, and fields. */
function mysqlResult([first]: readonly (Row[] | { affectedRows?: number })[]): SqlResult {
  if (Array.isArray(first)) return { rows: first, affected: first.length };
  if (typeof first?.affectedRows === "number") return { rows: [], affected: first.affectedRows };
  // Taken for 0, it would mean that the message was processed before.
  throw new ClientError(
    "invalid_input",
    "Knex' postProcessResponse changes the results of knex.raw(), so it cannot be seen what was written: let it give them as they are.",
  );
}
