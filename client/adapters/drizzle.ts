import { ClientError } from "../errors.ts";
import { type Adapter, BEGUN, type Dialect, OPEN, refused, type SqlResult } from "../sql/adapter.ts";
import { byStatements } from "../sql/in-savepoint.ts";
import { mysqlText } from "../sql/mysql-text.ts";
import type { Statement } from "../sql/statement.ts";
import { confirmed, type Unsafe } from "./drivers/confirmed.ts";
import { stateOfClient } from "./drivers/state-of-client.ts";

/** A database of Drizzle over any driver, as far as it is used. */
interface DrizzleDb {
  // Drizzle's own type of a transaction depends on driver and schema.
  // biome-ignore lint/suspicious/noExplicitAny: it is inferred back by TransactionOf
  transaction(work: (tx: any) => Promise<unknown>): Promise<unknown>;
}
/** Placeholder for a database that was not named: no handle fits it, where `any` would accept every handle. */
interface NoDatabase {
  "write drizzle<typeof db>(sql)": never;
  transaction(work: (tx: NoDatabase) => Promise<unknown>): Promise<unknown>;
}
type TransactionOf<D extends DrizzleDb> = Parameters<Parameters<D["transaction"]>[0]>[0];
/**
 * As far as it is used: of Drizzle's own class CommonJS finds another declaration, which TypeScript takes for another
 * class.
 */
interface Sql {
  getSQL(): unknown;
}
type SqlTag = (strings: TemplateStringsArray, ...values: unknown[]) => Sql;
interface Executes {
  execute(query: Sql): Promise<unknown>;
}

/**
 * Drizzle, given its own `sql`: `drizzle<typeof db>(sql)`. `tx` is what `db.transaction` hands to its callback.
 */
export function drizzle<D extends DrizzleDb = NoDatabase>(
  sql: SqlTag,
  { dialect = "postgres" }: { dialect?: Dialect } = {},
): Adapter<TransactionOf<D>, D> {
  if (typeof sql !== "function")
    throw new ClientError(
      "invalid_input",
      'drizzle takes Drizzle\'s own sql: import { sql } from "drizzle-orm", drizzle(sql).',
    );
  const run = async (handle: unknown, statement: Statement): Promise<SqlResult> => {
    const { parts, values } = dialect === "mysql" ? { parts: [mysqlText(statement)], values: [] } : statement;
    const strings = Object.assign([...parts], { raw: parts });
    return toResult(await (handle as Executes).execute(sql(strings, ...values)));
  };
  return {
    name: "Drizzle",
    begins: "transaction",
    dialect,
    run,
    stateOf: (handle) => {
      if (typeof handle !== "object" || handle === null || !("rollback" in handle))
        return refused(`This is not a transaction of Drizzle; it may be db itself. ${HOW}`);
      // Over Postgres the INSERT asks the database.
      return stateOfClient(clientOf(handle), HOW) ?? (dialect === "mysql" ? BEGUN : OPEN);
    },
    transaction: async (db, work) => {
      if (isOneConnection(clientOf(db)))
        throw new ClientError(
          "invalid_input",
          "This db of Drizzle has one connection, on which transactions at the same time are one transaction: open it with a pool.",
        );
      const begin = (inner: typeof work) => db.transaction(inner);
      if (isOverPostgresJs(db))
        return confirmed({ root: clientOf(db) as Unsafe, sqlOf: (tx) => clientOf(tx) as Unsafe, begin }, work);
      return (await begin(work)) as Awaited<ReturnType<typeof work>>;
    },
    // postgres.js rejects a transaction in which a statement has failed, unless the statement was in a savepoint made
    // by postgres.js.
    savepoint: (tx, work) => (isOverPostgresJs(tx) ? tx.transaction(work) : byStatements({ run }, tx, work)),
  };
}

/** The root `sql` of postgres.js begins transactions, and that of a transaction makes savepoints. */
function isOverPostgresJs(handle: object): boolean {
  const client = clientOf(handle);
  return typeof client === "function" && "unsafe" in client;
}

/** The driver's own connection under a transaction: a client of pg, or a function of postgres.js. */
function clientOf(tx: object): object {
  return (tx as { session?: { client?: object } }).session?.client ?? {};
}

/** A client of pg or a connection of mysql2, which have no queue of transactions. */
function isOneConnection(client: object): boolean {
  return "connectionParameters" in client || ("beginTransaction" in client && !("getConnection" in client));
}

/** Each driver's own result: node-postgres' object, postgres.js' list, mysql2's pair. */
function toResult(result: unknown): SqlResult {
  const found = result as { rows?: Row[]; count?: number; 0?: Row[] | object };
  if (found.rows) return { rows: found.rows };
  if (typeof found.count === "number") return { rows: [...(result as Row[])] };
  return { rows: Array.isArray(found[0]) ? found[0] : [] };
}

const HOW = "Pass the tx of db.transaction(async (tx) => …).";

type Row = Record<string, unknown>;
