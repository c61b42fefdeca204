import type { Dialect } from "./adapter.ts";
import { type RawSql, raw } from "./statement.ts";

/**
 * Ends a SELECT that must see what others have committed since the transaction's view was made: under MySQL's
 * REPEATABLE READ a plain one does not, though INSERT and UPDATE do. In the older of two spellings, the only one that
 * MariaDB knows.
 */
export const currentRow = (dialect: Dialect): RawSql => raw(dialect === "mysql" ? " LOCK IN SHARE MODE" : "");
