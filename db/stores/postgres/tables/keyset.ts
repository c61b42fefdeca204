import { AppError } from "#domain/errors.ts";
import { comparisonType } from "./mapping-sql.ts";

/** One sort key: its SQL, its text form for the cursor, and the type the text casts back to. Only the first may be null. */
export interface SortKey {
  sql: string;
  text: string;
  type: string;
  nullable?: boolean;
}

export interface Keyset {
  keys: SortKey[];
  descending: boolean;
}

const BAD_CURSOR = "This page link is damaged or belongs to another list; start again from the first page.";

/** `scope` binds a cursor to its list, so that a cursor of another tab or filter is refused. */
export function encodeCursor(scope: string, values: readonly string[]): string {
  return Buffer.from(JSON.stringify([scope, ...values]), "utf8").toString("base64url");
}

/** Throws: invalid_input, when it was not made by `encodeCursor` for this list. */
export function decodeCursor(cursor: string, scope: string, length: number): string[] {
  const parsed = parse(cursor);
  const valid =
    Array.isArray(parsed) && parsed.length === length + 1 && parsed.every((part) => typeof part === "string");
  if (!valid || parsed[0] !== scope) throw new AppError("invalid_input", BAD_CURSOR);
  return parsed.slice(1);
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * `(a, b) > ($3::bigint, $4::uuid)` with its values; parameters start at `firstParameter`. Nulls stand where an index
 * has them by default: last going up, first going down. Throws: invalid_input.
 */
export function afterCursor(
  keyset: Keyset,
  cursor: readonly string[],
  firstParameter: number,
): { sql: string; values: string[] } {
  const operator = keyset.descending ? "<" : ">";
  const compare = (keys: readonly SortKey[]) => {
    const right = keys.map((key, index) => `$${firstParameter + index}::text::${comparisonType(key.type)}`).join(", ");
    return `(${keys.map((key) => key.sql).join(", ")}) ${operator} (${right})`;
  };
  const [lead, ...others] = keyset.keys;
  if (!lead?.nullable) return { sql: compare(keyset.keys), values: [...cursor] };
  const [first = "", ...rest] = cursor;
  if (first === NULL_MARK) {
    const among = `(${lead.sql} IS NULL AND ${compare(others)})`;
    return { sql: keyset.descending ? `(${among} OR ${lead.sql} IS NOT NULL)` : among, values: rest };
  }
  if (!first.startsWith(VALUE_MARK)) throw badCursorError();
  const beyond = compare(keyset.keys);
  return {
    sql: keyset.descending ? beyond : `(${beyond} OR ${lead.sql} IS NULL)`,
    values: [first.slice(VALUE_MARK.length), ...rest],
  };
}

const NULL_MARK = "n";
const VALUE_MARK = "v";

export function orderBy(keyset: Keyset): string {
  return keyset.keys.map((key) => `${key.sql} ${keyset.descending ? "DESC" : "ASC"}`).join(", ");
}

export function cursorColumns(keyset: Keyset): string {
  const text = (key: SortKey) => (key.nullable ? `coalesce('${VALUE_MARK}' || ${key.text}, '${NULL_MARK}')` : key.text);
  return keyset.keys.map((key, index) => `${text(key)} AS "cursor${index}"`).join(", ");
}

/** A value of a cursor that its column's type refuses. */
export function isBadCursorValue(code: string | undefined): boolean {
  return code === "22P02" || code === "22007" || code === "22008" || code === "22003" || code === "22021";
}

export function badCursorError(): AppError {
  return new AppError("invalid_input", BAD_CURSOR);
}
