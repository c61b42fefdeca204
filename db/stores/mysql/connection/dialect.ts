import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { MySqlDialect } from "drizzle-orm/mysql-core";
import { quoteName, quoteText } from "./literal.ts";

/** Quotes texts for the SQL mode of our sessions, and names with any characters. */
class ExactDialect extends MySqlDialect {
  override escapeString(text: string): string {
    return quoteText(text);
  }

  override escapeName(name: string): string {
    return quoteName(name);
  }
}

export const dialect: MySqlDialect = new ExactDialect();

/** A statement or part of one as text, with parameters inlined as literals. */
export function toText(statement: SQLWrapper): string {
  return dialect.sqlToQuery(sql`${statement.getSQL()}`.inlineParams()).sql;
}

/** The same with unqualified column names, as CREATE INDEX needs them. */
export function toIndexText(part: SQL): string {
  return dialect.sqlToQuery(sql`${part}`.inlineParams(), "indexes").sql;
}

/** Renders a part once, so that statements that repeat it embed a constant text. */
export function frozen<T>(part: SQL<T>): SQL<T> {
  return sql.raw(toText(part)) as SQL<T>;
}
