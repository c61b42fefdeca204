import { type SQL, sql } from "drizzle-orm";
import { AppError } from "#domain/errors.ts";
import { castTo } from "../connection/dialect.ts";
import { comparisonType } from "./column-values.ts";

/** One sort key: its value, its text in the cursor, and the type to which the text is cast. Only the first key may be null. */
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
 * `(a, b) > (text::bigint, text::uuid)`. Nulls sort as in an index by default: last ascending, first descending. Throws
 * invalid_input.
 */
export function afterCursor({ keys, descending }: Keyset, cursor: readonly string[]): SQL {
  const [lead, ...others] = keys;
  if (!lead?.nullable) return compare(keys, cursor, descending);
  const [first = "", ...rest] = cursor;
  if (first === NULL_MARK) {
    const among = sql`(${lead.value} IS NULL AND ${compare(others, rest, descending)})`;
    return descending ? sql`(${among} OR ${lead.value} IS NOT NULL)` : among;
  }
  if (!first.startsWith(VALUE_MARK)) throw badCursorError();
  const beyond = compare(keys, [first.slice(VALUE_MARK.length), ...rest], descending);
  return descending ? beyond : sql`(${beyond} OR ${lead.value} IS NULL)`;
}

function compare(keys: readonly SortKey[], values: readonly string[], descending: boolean): SQL {
  const left = keys.map((key) => key.value);
  const right = keys.map(({ type }, index) => sql`${values[index]}::text${castTo(comparisonType(type))}`);
  const operator = sql.raw(descending ? "<" : ">");
  return sql`(${sql.join(left, sql`, `)}) ${operator} (${sql.join(right, sql`, `)})`;
}

const NULL_MARK = "n";
const VALUE_MARK = "v";

export function orderBy({ keys, descending }: Keyset): SQL[] {
  return keys.map((key) => (descending ? sql`${key.value} DESC` : sql`${key.value} ASC`));
}

/** The cursor of a row as one array of texts. */
export function cursorOf({ keys }: Keyset): SQL<string[]> {
  const texts = keys.map((key) => (key.nullable ? nullable(key.text) : key.text));
  return sql`ARRAY[${sql.join(texts, sql`, `)}]::text[]`;
}

function nullable(text: SQL): SQL {
  return sql`coalesce(${VALUE_MARK} || ${text}, ${NULL_MARK})`.inlineParams();
}

/** True if the SQLSTATE means that a column's type refuses a cursor value. */
export function isBadCursorValue(code: string | undefined): boolean {
  return code === "22P02" || code === "22007" || code === "22008" || code === "22003" || code === "22021";
}

export function badCursorError(): AppError {
  return new AppError("invalid_input", BAD_CURSOR);
}
