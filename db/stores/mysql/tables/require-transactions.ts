import { AppError } from "#domain/errors.ts";
import type { TableName } from "../../port/mapping.ts";
import type { Session } from "../connection/session.ts";
import { quoteTable } from "./mapping-sql.ts";

/** The engine of a table; null if the user may not see the table, or it is a view. */
export async function readEngine(session: Session, { schema, name }: TableName): Promise<string | null> {
  const [row] = await session.rows(
    "SELECT engine FROM information_schema.tables WHERE table_schema = ? AND table_name = ?",
    [schema, name],
  );
  return row?.[0] ?? null;
}

/**
 * Throws wrong_state for a table whose engine has no transactions: a rollback would not restore a row that was removed
 * or marked, and a message that is moved could be lost.
 */
export async function requireTransactions(session: Session, table: TableName): Promise<void> {
  const engine = await readEngine(session, table);
  if (engine === null || engine === "InnoDB") return;
  throw new AppError(
    "wrong_state",
    `The table ${table.schema}.${table.name} uses the engine ${engine}, which has no transactions: an interrupted change could lose a message, so nothing is changed. ALTER TABLE ${quoteTable(table)} ENGINE = InnoDB allows it.`,
  );
}
