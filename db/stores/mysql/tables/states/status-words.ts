import { type SQL, sql } from "drizzle-orm";
import type { MappedColumn, PendingWord } from "#db/stores/port/mapping.ts";
import { ALWAYS, all, any, inlined, NEVER } from "#db/stores/shared/states/conditions.ts";
import { kindOf } from "../column-kinds.ts";
import type { Row } from "../column-values.ts";

/**
 * `column IN (words)` over a status column; a null among them is a row without a status. Words compare as the column's
 * own collation has it; numbers as numbers.
 */
export function statusIn({ column }: Row, status: MappedColumn, words: readonly PendingWord[]): SQL {
  const named = isOneOf(column(status), valuesOf(status, words));
  return words.includes(null) ? any(sql`${column(status)} IS NULL`, named) : named;
}

/** Condition: none of the words; or null, unless a null is among them. */
export function statusNotIn({ column }: Row, status: MappedColumn, words: readonly PendingWord[]): SQL {
  const values = valuesOf(status, words);
  const others = values.length === 0 ? ALWAYS : sql`${column(status)} NOT IN (${sql.join(values, sql`, `)})`;
  if (words.includes(null)) return all(sql`${column(status)} IS NOT NULL`, others);
  if (others === ALWAYS) return ALWAYS;
  return status.nullable ? sql`(${others} OR ${column(status)} IS NULL)` : others;
}

function isOneOf(column: SQL, values: readonly SQL[]): SQL {
  if (values.length === 0) return NEVER;
  const [only] = values;
  return values.length === 1 ? sql`${column} = ${only}` : sql`${column} IN (${sql.join([...values], sql`, `)})`;
}

const NUMBER = /^-?\d{1,19}$/;

/** Words as literals. A column of numbers has no other words: as text they would all compare as 0. */
function valuesOf(status: MappedColumn, words: readonly PendingWord[]): SQL[] {
  const named = words.filter((word) => word !== null);
  if (kindOf(status.type) !== "integer") return named.map(inlined);
  const numbers = named.map((word) => ({ true: "1", false: "0" })[word.toLowerCase()] ?? word);
  return numbers.filter((word) => NUMBER.test(word)).map((word) => sql.raw(word));
}
