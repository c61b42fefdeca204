import { type SQL, sql } from "drizzle-orm";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import { ALWAYS, inlined, NEVER } from "#db/stores/shared/states/conditions.ts";
import { kindOf } from "../column-kinds.ts";
import type { Row } from "../column-values.ts";

/** `column IN (words)` over a status column. Words compare as the column's own collation has it; numbers as numbers. */
export function statusIn({ column }: Row, status: MappedColumn, words: readonly string[]): SQL {
  const values = valuesOf(status, words);
  if (values.length === 0) return NEVER;
  const [only] = values;
  return values.length === 1
    ? sql`${column(status)} = ${only}`
    : sql`${column(status)} IN (${sql.join(values, sql`, `)})`;
}

/** Condition: none of the words, or null. */
export function statusNotIn({ column }: Row, status: MappedColumn, words: readonly string[]): SQL {
  const values = valuesOf(status, words);
  if (values.length === 0) return ALWAYS;
  const others = sql`${column(status)} NOT IN (${sql.join(values, sql`, `)})`;
  return status.nullable ? sql`(${others} OR ${column(status)} IS NULL)` : others;
}

const NUMBER = /^-?\d{1,19}$/;

/** Words as literals. A column of numbers has no other words: as text they would all compare as 0. */
function valuesOf(status: MappedColumn, words: readonly string[]): SQL[] {
  if (kindOf(status.type) !== "integer") return words.map(inlined);
  const numbers = words.map((word) => ({ true: "1", false: "0" })[word.toLowerCase()] ?? word);
  return numbers.filter((word) => NUMBER.test(word)).map((word) => sql.raw(word));
}
