import { ClientError } from "../errors.ts";
import type { Dialect } from "./adapter.ts";
import { type RawSql, raw } from "./statement.ts";

/** A column's or table's name, quoted. */
export function quoteName(name: string, dialect: Dialect): string {
  if (name === "" || name.includes("\0"))
    throw new ClientError("invalid_input", `${JSON.stringify(name)} is not a name of a table or column.`);
  return dialect === "mysql" ? `\`${name.replaceAll("`", "``")}\`` : `"${name.replaceAll('"', '""')}"`;
}

/** `shop.outbox` or `outbox`, each part exactly as the database has it. */
export function quoteTable(table: string, dialect: Dialect): RawSql {
  return raw(
    table
      .split(".")
      .map((part) => quoteName(part, dialect))
      .join("."),
  );
}

/** Throws for a name that no database has, when the outbox or inbox is made and not at its first event. */
export function requireTableName(table: string): void {
  if (typeof table !== "string") throw new ClientError("invalid_input", "The option table is no name of a table.");
  quoteTable(table, "postgres");
}
