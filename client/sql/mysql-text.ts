import type { SqlValue, Statement } from "./statement.ts";

/** Means the same within quotes in every mode and character set of a session. */
const PLAIN = /^[A-Za-z0-9 .,:;@/()+*_-]*$/;

/**
 * A statement of MySQL with its values in the text. Most libraries insert values themselves, and wrongly if a backslash
 * is a plain character in the session (NO_BACKSLASH_ESCAPES) or its character set is not utf8mb4: another text is
 * stored, or the value ends its string and continues as SQL. Hexadecimal digits mean the same everywhere.
 */
export function mysqlText({ parts, values }: Statement): string {
  return parts.reduce((all, part, index) => `${all}${literal(values[index - 1] ?? null)}${part}`);
}

function literal(value: SqlValue): string {
  if (value === null) return "NULL";
  if (typeof value === "number") return String(value);
  return PLAIN.test(value) ? `'${value}'` : `_utf8mb4 X'${Buffer.from(value, "utf8").toString("hex")}'`;
}
