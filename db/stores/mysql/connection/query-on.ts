import type { SQL } from "drizzle-orm";
import { MySqlDatabase } from "drizzle-orm/mysql-core";
import { type MySql2PreparedQueryHKT, type MySql2QueryResultHKT, MySql2Session } from "drizzle-orm/mysql2";
import { throwCause } from "#db/stores/shared/connection/driver-error.ts";
import { dialect } from "./dialect.ts";
import type { Result } from "./link.ts";
import { bindValues } from "./literal.ts";

export type Database = MySqlDatabase<MySql2QueryResultHKT, MySql2PreparedQueryHKT, Record<string, never>>;

type Driver = ConstructorParameters<typeof MySql2Session>[0];

/** Throws the driver's own errors: Drizzle's wrapper has the statement and its parameters in its message. */
class PlainErrorSession extends MySql2Session<Record<string, never>, Record<string, never>> {
  override prepareQuery: MySql2Session<Record<string, never>, Record<string, never>>["prepareQuery"] = (...input) => {
    const prepared = super.prepareQuery(...input);
    const execute = prepared.execute.bind(prepared);
    prepared.execute = (values) => execute(values).catch(throwCause);
    return prepared;
  };

  override all<T>(query: SQL): Promise<T[]> {
    return this.execute(query);
  }
}

/**
 * Drizzle over something that executes one statement. Rows come as texts, which the columns decode; `db.execute` gives
 * rows as arrays.
 */
export function queryOn(execute: (statement: string) => Promise<Result>): Database {
  const driver = {
    query: async ({ sql }: { sql: string }, values: readonly unknown[] = []) => {
      const { rows, affectedRows, insertId } = await execute(bindValues(sql, values));
      return [rows.length > 0 ? rows : Object.assign([], { affectedRows, insertId }), []];
    },
  } as unknown as Driver;
  const session = new PlainErrorSession(driver, dialect, undefined, { mode: "default" });
  return new MySqlDatabase(dialect, session as never, undefined, "default");
}
