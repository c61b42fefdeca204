import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn } from "../../stores/port/mapping.ts";
import type { Condition } from "../../stores/port/table-rules.ts";
import { plainName } from "../columns/plain-name.ts";
import { isBlankAtFirst } from "../columns/unset-default.ts";
import { wordsOf } from "../words/name-words.ts";
import { FLAG_LETTERS, meaningOfFlag, NO_LETTERS } from "../words/status-words.ts";
import { defaultWordOf, shownWords } from "./status-lifecycle.ts";

type FlagValue = { number: number } | { word: string };

/** A flag that is no boolean: a number of 0 and 1, or text such as N and Y. */
export interface CodedFlag {
  isOn: Condition<MappedColumn>;
  isOff: Condition<MappedColumn>;
  /** What the table itself shows for it; null where nothing does, so that nobody writes a guess. */
  on: FlagValue | null;
  off: FlagValue | null;
}

const NUMBERS: readonly CatalogColumn["family"][] = ["smallint", "integer", "bigint", "decimal"];
const TEXTS: readonly CatalogColumn["family"][] = ["text", "compact", "words"];

/** The two values of a column by its type and default; null if it is no such flag. */
export function codedFlagOf(table: CatalogTable, column: CatalogColumn, mapped: MappedColumn): CodedFlag | null {
  if (column.generated) return null;
  const first = defaultWordOf(table, column.name);
  if (NUMBERS.includes(column.family)) {
    const isTime = wordsOf(plainName(table, column.name)).some(({ concepts }) => concepts.includes("time"));
    if (isTime || !["0", "1", undefined].includes(first)) return null;
    return {
      isOn: { column: mapped, atLeast: 1 },
      isOff: { column: mapped, in: [0] },
      on: { number: 1 },
      off: { number: 0 },
    };
  }
  return TEXTS.includes(column.family) || isBit(column) ? lettersOf(table, column, mapped) : null;
}

/** Of Postgres; one of MySQL is a boolean. */
const isBit = ({ family, type }: Pick<CatalogColumn, "family" | "type">) => family === "other" && type === "bit(1)";

function lettersOf(table: CatalogTable, found: CatalogColumn, column: MappedColumn): CodedFlag | null {
  const { name, family } = found;
  if (isBlankAtFirst(found) && /\(1\)$/.test(found.type)) return blankLetter(column);
  const shown = shownWords(table, name);
  // `X` and blank, as in SAP.
  if (shown.some((word) => /^x$/i.test(word)) && shown.every((word) => /^[x ]?$/i.test(word)))
    return blankLetter(column);
  if (shown.length === 0 || shown.some((word) => meaningOfFlag(word) === undefined)) return null;
  const usual = family === "words" || isBit(found) ? [] : FLAG_LETTERS;
  const of = (meaning: "published" | "pending") =>
    [...new Set([...shown, ...usual])].filter((word) => meaningOfFlag(word) === meaning);
  const written = (meaning: "published" | "pending") => {
    const word = shown.find((one) => meaningOfFlag(one) === meaning);
    return word === undefined ? null : { word };
  };
  return {
    isOn: { column, in: of("published") },
    isOff: { column, in: of("pending") },
    on: written("published"),
    off: written("pending"),
  };
}

/** `cancelled char(1) DEFAULT ' '`: what is neither blank nor a no says yes, whichever letter that is. */
function blankLetter(column: MappedColumn): CodedFlag {
  const isOn = { all: [{ column, is: "filled" as const }, { not: { column, in: NO_LETTERS } }] };
  return { isOn, isOff: { not: isOn }, on: null, off: null };
}
