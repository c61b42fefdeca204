import { type SQL, sql } from "drizzle-orm";
import { AppError } from "#domain/errors.ts";
import { comparable } from "./column-values.ts";
import { fitsType } from "./fits-type.ts";

/** One sort key: its value, its text in the cursor, and the type as which the text compares. Only the first may be null. */
export interface SortKey {
  value: SQL;
  text: SQL;
  type: string;
  nullable?: boolean;
}

export interface Keyset {
  keys: SortKey[];
  descending: boolean;
}

const BAD_CURSOR = "This page link is damaged or belongs to another list; start again from the first page.";

/** `scope` ties a cursor to its list; a cursor of another tab or filter is refused. */
export function encodeCursor(scope: string, values: readonly string[]): string {
  return Buffer.from(JSON.stringify([scope, ...values]), "utf8").toString("base64url");
}

/** Throws invalid_input if `encodeCursor` did not make it for this list. */
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
 * The rows behind a cursor. Nulls sort as MySQL has them: first ascending, last descending. Throws invalid_input for a
 * value that the key's type cannot have.
 */
export function afterCursor({ keys, descending }: Keyset, cursor: readonly string[]): SQL {
  const [lead, ...others] = keys;
  if (!lead?.nullable) return compare(keys, cursor, descending);
  const [first = "", ...rest] = cursor;
  if (first === NULL_MARK) {
    const among =
      others.length > 0 ? sql`(${lead.value} IS NULL AND ${compare(others, rest, descending)})` : sql`false`;
    return descending ? among : sql`(${among} OR ${lead.value} IS NOT NULL)`;
  }
  if (!first.startsWith(VALUE_MARK)) throw badCursorError();
  const beyond = compare(keys, [first.slice(VALUE_MARK.length), ...rest], descending);
  return descending ? sql`(${beyond} OR ${lead.value} IS NULL)` : beyond;
}

/** `a >= 1 AND (a > 1 OR a = 1 AND (b > 2))`: neither server searches an index for `(a, b) > (1, 2)`. */
function compare(keys: readonly SortKey[], values: readonly string[], descending: boolean): SQL {
  const [key, ...others] = keys;
  const text = values[0] ?? "";
  if (!key || !fitsType(text, key.type)) throw badCursorError();
  const bound = comparable(key, text);
  const beyond = sql.raw(descending ? "<" : ">");
  if (others.length === 0) return sql`${key.value} ${beyond} ${bound}`;
  const rest = compare(others, values.slice(1), descending);
  return sql`(${key.value} ${beyond}= ${bound} AND (${key.value} ${beyond} ${bound} OR (${key.value} = ${bound} AND ${rest})))`;
}

const NULL_MARK = "n";
const VALUE_MARK = "v";

export function orderBy({ keys, descending }: Keyset): SQL[] {
  return keys.map((key) => (descending ? sql`${key.value} DESC` : sql`${key.value} ASC`));
}

/** The cursor of a row as one list of texts. */
export function cursorOf({ keys }: Keyset): SQL<string[]> {
  const texts = keys.map((key) => {
    const text = sql`CONVERT(${key.text} USING utf8mb4)`;
    return key.nullable
      ? sql`coalesce(CONCAT(${sql.raw(`'${VALUE_MARK}'`)}, ${text}), ${sql.raw(`'${NULL_MARK}'`)})`
      : text;
  });
  return sql<string[]>`CAST(JSON_ARRAY(${sql.join(texts, sql`, `)}) AS CHAR)`.mapWith((text) =>
    JSON.parse(String(text)),
  );
}

export function badCursorError(): AppError {
  return new AppError("invalid_input", BAD_CURSOR);
}
