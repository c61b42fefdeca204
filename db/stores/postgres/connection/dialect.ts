import { type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";

/** A text with a backslash reads the same whatever `standard_conforming_strings` says. */
class ExactDialect extends PgDialect {
  override escapeString(text: string): string {
    const quoted = super.escapeString(text);
    return text.includes("\\") ? `E${quoted.replaceAll("\\", "\\\\")}` : quoted;
  }
}

export const dialect: PgDialect = new ExactDialect();

/** A statement, or a part of one, as text: what would be a parameter is written into it as a literal. */
export function toText(statement: SQL): string {
  return dialect.sqlToQuery(sql`${statement}`.inlineParams()).sql;
}

/** The same with column names alone, as CREATE INDEX has them. */
export function toIndexText(part: SQL): string {
  return dialect.sqlToQuery(sql`${part}`.inlineParams(), "indexes").sql;
}

/** The same part, put together once: what a statement repeats every time is then one piece of text in it. */
export function frozen<T>(part: SQL<T>): SQL<T> {
  return sql.raw(toText(part)) as SQL<T>;
}

/** `::type`. Types are those of the catalog's `format_type`, which quotes them. */
export function castTo(type: string): SQL {
  return sql.raw(`::${type}`);
}
