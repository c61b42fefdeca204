import { type SQL, sql } from "drizzle-orm";
import { badCursorError, NULL_MARK, VALUE_MARK } from "#db/stores/shared/read/cursor.ts";
import type { Keyset, SortKey } from "#db/stores/shared/read/keyset.ts";
import { comparable } from "./column-values.ts";
import { fitsType } from "./fits-type.ts";

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
