import { type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";

/** Quotes texts with a backslash so that they read the same with either value of `standard_conforming_strings`. */
class ExactDialect extends PgDialect {
  override escapeString(text: string): string {
    const quoted = super.escapeString(text);
    return text.includes("\\") ? `E${quoted.replaceAll("\\", "\\\\")}` : quoted;
  }
}

export const dialect: PgDialect = new ExactDialect();

/** A statement or part of one as text, with parameters inlined as literals. */
export function toText(statement: SQL): string {
  return dialect.sqlToQuery(sql`${statement}`.inlineParams()).sql;
}

/** The same with unqualified column names, as CREATE INDEX needs them. */
export function toIndexText(part: SQL): string {
  return dialect.sqlToQuery(sql`${part}`.inlineParams(), "indexes").sql;
}

/** Renders a part once, so that statements that repeat it embed a constant text. */
export function frozen<T>(part: SQL<T>): SQL<T> {
  return sql.raw(toText(part)) as SQL<T>;
}

/** `::type`. Types are those of the catalog's `format_type`, which quotes them. */
export function castTo(type: string): SQL {
  return sql.raw(`::${type}`);
}
