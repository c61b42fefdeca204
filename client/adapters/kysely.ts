import type { CompiledQuery, Kysely, Transaction } from "kysely";
import { type Adapter, type Dialect, OPEN, refused } from "../sql/adapter.ts";
import { mysqlText } from "../sql/mysql-text.ts";
import { numbered } from "../sql/statement.ts";

/** Kysely: `kysely<Database>()`. `tx` is what `db.transaction().execute` hands to its callback. */
// biome-ignore lint/suspicious/noExplicitAny: Kysely's own default for a database without types
export function kysely<DB = any>({
  dialect = "postgres",
}: {
  dialect?: Dialect;
} = {}): Adapter<Transaction<DB>, Kysely<DB>> {
  const isMysql = dialect === "mysql";
  return {
    name: "Kysely",
    begins: "transaction",
    dialect,
    run: async (handle, statement) => {
      const query = isMysql ? compiled(mysqlText(statement), []) : compiled(numbered(statement), statement.values);
      // Plugins would rename the columns of the result, and parse a JSON text.
      const { rows } = await handle.withoutPlugins().executeQuery<Record<string, unknown>>(query);
      return { rows };
    },
    stateOf: (handle) => {
      const { isTransaction, isCommitted, isRolledBack } = (handle ?? {}) as Record<string, unknown>;
      return isTransaction === true && isCommitted !== true && isRolledBack !== true
        ? OPEN
        : refused(
            "This is not an open transaction of Kysely; it may be db itself, or a transaction that has ended. Pass the trx of db.transaction().execute(async (trx) => …).",
          );
    },
    transaction: (db, work) => db.transaction().execute(work),
  };
}

/** What `CompiledQuery.raw` makes; written here, so that the package needs Kysely's types only. */
function compiled(sql: string, parameters: readonly unknown[]): CompiledQuery<Record<string, unknown>> {
  const query = { kind: "RawNode", sqlFragments: [sql], parameters: [] } as const;
  return { sql, parameters, query, queryId: { queryId: crypto.randomUUID() } };
}
