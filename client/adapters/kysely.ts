import type { CompiledQuery, Kysely, Transaction } from "kysely";
import { type Adapter, type Dialect, OPEN, refused } from "../sql/adapter.ts";
import { mysqlText } from "../sql/mysql-text.ts";
import { numbered } from "../sql/statement.ts";

/** A root of Kysely, as far as it is used. */
interface KyselyRoot {
  // biome-ignore lint/suspicious/noExplicitAny: it is inferred back by TransactionOf
  transaction(): { execute(work: (trx: any) => Promise<unknown>): Promise<unknown> };
}
type TransactionOf<K extends KyselyRoot> = Parameters<Parameters<ReturnType<K["transaction"]>["execute"]>[0]>[0];
interface KyselyOptions {
  dialect?: Dialect;
}

/**
 * Kysely: `kysely<Database>()`. `tx` is what `db.transaction().execute` hands to its callback. In CommonJS, Kysely
 * before 0.29 has types of its own: name the root's there, `kysely<Kysely<Database>>()` or `kysely<typeof db>()`.
 */
// biome-ignore lint/suspicious/noExplicitAny: Kysely's own default for a database without types
export function kysely(options?: KyselyOptions): Adapter<Transaction<any>, Kysely<any>>;
export function kysely<K extends KyselyRoot>(options?: KyselyOptions): Adapter<TransactionOf<K>, K>;
export function kysely<DB>(options?: KyselyOptions): Adapter<Transaction<DB>, Kysely<DB>>;
export function kysely({ dialect = "postgres" }: KyselyOptions = {}): Adapter<Transaction<unknown>, Kysely<unknown>> {
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
