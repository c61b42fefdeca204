import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn } from "../../stores/port/mapping.ts";
import type { Condition } from "../../stores/port/table-rules.ts";
import { literalsIn } from "../words/index-hints.ts";
import { type Columns, type RowMark, toMapped } from "./row-marks.ts";

const NAME = /(?:"(?<quoted>(?:[^"]|"")+)"|(?<plain>[a-z_][a-z0-9_$]*))/.source;
const CONJUNCT = new RegExp(
  `^\\(*(?<not>NOT )?\\(?${NAME}\\)?(?:::[a-z ]+\\)?)?(?:\\s*(?<sign>IS NOT NULL|IS NULL|<>|<=|<|=)\\s*(?<value>.*?))?\\)*$`,
  "i",
);

interface Expected {
  column: CatalogColumn;
  /** True of a row that the index has. */
  holds: Condition<MappedColumn>;
}

/**
 * Rows that wait by the mark and that no partial index of what waits has (`WHERE sent_at IS NULL AND attempts < 5`):
 * the relay's query may have the same condition. `read`: columns that are marks. Only of columns that have no meaning
 * beside this, and of attempts unless their number is known with which a row is dead: an index for that reads no more
 * than what is known.
 */
export function beyondIndex(
  table: CatalogTable,
  columns: Columns,
  { read, deadAttempts, zone }: { read: readonly MappedColumn[]; deadAttempts: number | null; zone: string },
): RowMark[] {
  const { attempts, ...others } = columns;
  const known = new Set([...Object.values(deadAttempts === null ? others : columns), ...read].map(({ name }) => name));
  const marks = [columns.publishedAt?.name, columns.status?.name];
  const ofWaiting = table.indexes.flatMap(({ predicate, columns: keys }) => {
    const all = predicate === null || / OR /i.test(predicate) ? [] : expectedBy(predicate, table, zone);
    // An index of a column need not have rows without it.
    const expected = all.filter(
      ({ column, holds }) => !("is" in holds && holds.is === "set" && keys.includes(column.name)),
    );
    return expected.some(({ column }) => marks.includes(column.name)) ? [expected] : [];
  });
  const [first = [], ...rest] = ofWaiting;
  // What only one of several indexes expects, another query does not.
  return first
    .filter(({ column }) => rest.every((other) => other.some((one) => one.column.name === column.name)))
    .filter(({ column, holds }) => !known.has(column.name) && (column.name !== attempts?.name || "not" in holds))
    .map(({ column, holds }) => ({
      kind: "withdrawn",
      column: toMapped(column, zone),
      holds: "not" in holds ? holds.not : { not: holds },
      cleared: "null",
      marked: "null",
      says: `${column.name} has a value that an index of waiting rows leaves out`,
    }));
}

function expectedBy(predicate: string, table: CatalogTable, zone: string): Expected[] {
  return predicate.split(/ AND /i).flatMap((part) => {
    const { not, quoted, plain, sign, value = "" } = CONJUNCT.exec(part.trim())?.groups ?? {};
    const column = table.columns.find(({ name }) => name === (quoted?.replaceAll('""', '"') ?? plain));
    if (!column) return [];
    const holds = conditionOf(toMapped(column, zone), column, { not: not !== undefined, sign, value });
    return holds ? [{ column, holds }] : [];
  });
}

function conditionOf(
  column: MappedColumn,
  { family }: CatalogColumn,
  { not, sign, value }: { not: boolean; sign: string | undefined; value: string },
): Condition<MappedColumn> | null {
  if (sign === undefined) return family === "boolean" ? { column, is: not ? "false" : "true" } : null;
  if (not) return null;
  const words = literalsIn(value);
  const number = Number(words[0]);
  switch (sign.toUpperCase()) {
    case "IS NULL":
      return { column, is: "null" };
    case "IS NOT NULL":
      return { column, is: "set" };
    case "<":
      return Number.isInteger(number) ? { not: { column, atLeast: number } } : null;
    case "<=":
      return Number.isInteger(number) ? { not: { column, atLeast: number + 1 } } : null;
    default:
      return listed(column, family, words, sign === "<>");
  }
}

const NUMBERS: readonly CatalogColumn["family"][] = ["smallint", "integer", "bigint", "decimal"];

function listed(
  column: MappedColumn,
  family: CatalogColumn["family"],
  words: readonly string[],
  isOther: boolean,
): Condition<MappedColumn> | null {
  if (words.length === 0 || !["text", "compact", "words", ...NUMBERS].includes(family)) return null;
  const isIn = { column, in: NUMBERS.includes(family) ? words.map(Number) : words };
  return isOther ? { not: isIn } : isIn;
}
