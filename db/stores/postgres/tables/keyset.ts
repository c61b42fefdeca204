import { type SQL, sql } from "drizzle-orm";
import { badCursorError, NULL_MARK, VALUE_MARK } from "#db/stores/shared/read/cursor.ts";
import type { Keyset, SortKey } from "#db/stores/shared/read/keyset.ts";
import { castTo } from "../connection/dialect.ts";
import { comparisonType } from "./column-values.ts";

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
