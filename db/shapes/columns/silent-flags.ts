import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn } from "../../stores/port/mapping.ts";
import { type Columns, markOf, type RowMark } from "../lifecycle/row-marks.ts";
import { defaultWordOf } from "../lifecycle/status-lifecycle.ts";
import type { Concept } from "../words/concepts.ts";
import { type NameWord, wordsOf } from "../words/name-words.ts";
import { isHeldBack, meaningOfFlag, NO_LETTERS } from "../words/status-words.ts";
import { isMeasured } from "./measured-name.ts";
import { plainName } from "./plain-name.ts";
import { isFlagOfLetters, isHarmless, unmarkedColumns } from "./unread-columns.ts";
import { isBlankAtFirst, isSetAtFirst } from "./unset-default.ts";

/** Said of what is in the message, of how it is sent, or of whom it is about: such a row waits as any other. */
const OF_CONTENT = new Set(
  "debug compressed gzip gzipped zipped encrypted signed masked anonymized anonymised pii gdpr sensitive confidential urgent priority prioritized important critical high low public private internal external async sync ordered unordered fifo persistent persisted durable transient large big oversized batch bulk batched json binary raw snapshot tombstone replay replayed migrated imported legacy system automatic auto generated redelivered redelivery replyable headers header notify notified alert alerted log logged audit audited required requires require expects expect response reply confirmation receipt idempotent broadcast multi partitioned verbose traced sampled contains attachment attachments premium vip customer user guest admin billable taxable domestic full partial delta local remote mobile web online".split(
    " ",
  ),
);

/** Somebody has to look at the row first: `review_required`. */
export const LOOKED_AT =
  /^(review|approval|consent|signoff|moderation|verification|authorization|authorisation|freigabe|aprobacion|aprovacao|revision|revisao)$/;

const isOfContent = (words: readonly NameWord[]): boolean =>
  words.some(({ text }) => OF_CONTENT.has(text)) && !words.some(({ text }) => LOOKED_AT.test(text));

/**
 * Flags with names of unknown meaning, of rows that are still to be sent: where one is not as a new row has it, the row
 * may be held back, withdrawn or given up. Whoever confirms the published mark knows. `read`: columns that say
 * something else.
 */
export function unreadFlags(
  table: CatalogTable,
  columns: Columns,
  read: readonly MappedColumn[],
  zone: string,
): RowMark[] {
  return unmarkedColumns(table, columns, read)
    .filter((column) => !column.generated && !isHarmless(table, column))
    .filter(({ name }) => !isOfContent(wordsOf(plainName(table, name))))
    .flatMap((column) => {
      if (column.family === "boolean") return [turnedFlag(column, zone)];
      if (isBareLetter(table, column)) return [filledFlag(column, zone)];
      const isBit = column.type === "bit(1)";
      const isFlag = isBit || isFlagOfLetters(table, column) || isFlagOfNumbers(table, column);
      const seen = seenFlag(table, column, zone);
      if (seen) return [seen];
      const first = isFlag ? defaultWordOf(table, column.name) : undefined;
      return first === undefined ? [] : [unlikeFirst(column, first, zone)];
    });
}

/** `shadow char(1)` that begins with null or a blank. */
function isBareLetter(table: CatalogTable, column: CatalogColumn): boolean {
  const { name, family, type, nullable, hasDefault, generated } = column;
  const isEmpty = (nullable && !hasDefault) || isBlankAtFirst(column);
  if (family !== "text" || !/\(1\)$/.test(type) || !isEmpty || generated) return false;
  if (isBlankAtFirst(column)) return true;
  const words = wordsOf(plainName(table, name));
  return words.every(({ concepts }) => concepts.length === 0 || concepts.some((one) => OF_FLAGS.includes(one)));
}

const OF_FLAGS: readonly Concept[] = ["flag", "busy", "lock", "ending", "withdrawal"];

function filledFlag(column: CatalogColumn, zone: string): RowMark {
  const mark = markOf("withdrawn", column, zone);
  const holds = {
    all: [{ column: mark.column, is: "filled" as const }, { not: { column: mark.column, in: NO_LETTERS } }],
  };
  return { ...mark, holds, says: `${column.name} has another text than one for no, until this is answered` };
}

const isNo = (word: string) => word.trim() === "" || meaningOfFlag(word) === "pending";
const isYes = (word: string) => meaningOfFlag(word) === "published" || /^x$/i.test(word);

/**
 * A column that is a flag in the rows that were read: it has values that say yes and values that say no, and no others.
 */
function seenFlag(table: CatalogTable, column: CatalogColumn, zone: string): RowMark | null {
  const words = table.values?.[column.name]?.words ?? [];
  const isTurned = isYes(defaultWordOf(table, column.name) ?? "");
  const other = words.filter(isTurned ? isNo : isYes);
  if (other.length === 0 || !words.every((word) => isNo(word) || isYes(word))) return null;
  // One value alone is no evidence.
  if (words.length === 1 && !column.hasDefault && table.values?.[column.name]?.nulls !== true) return null;
  const mark = markOf("withdrawn", column, zone);
  const values = NUMERIC.includes(column.family) ? other.map(Number) : other;
  const says = `${column.name} is ${other.map((word) => word.trim() || "blank").join(" or ")}, until this is answered`;
  return { ...mark, holds: { column: mark.column, in: values }, says };
}

function turnedFlag(column: CatalogColumn, zone: string): RowMark {
  const mark = markOf("withdrawn", column, zone);
  const is = isSetAtFirst(column) ? ("false" as const) : ("true" as const);
  return {
    ...mark,
    holds: { column: mark.column, is },
    says: `${column.name} is ${is}, until this is answered`,
  };
}

/**
 * `stop_flag smallint DEFAULT 0`, `frozen int DEFAULT 0`: 0 or 1 in a new row, and called a flag or by a participle, or
 * limited to 0 and 1 by a CHECK.
 */
function isFlagOfNumbers(table: CatalogTable, { name, family, generated }: CatalogColumn): boolean {
  if (!NUMERIC.includes(family) || generated || !/^[01]$/.test(defaultWordOf(table, name) ?? "")) return false;
  const words = wordsOf(plainName(table, name));
  if (table.words[name]?.every((word) => /^[01]$/.test(word))) return true;
  const isHeld = words.at(-1)?.concepts.some((one) => OF_HELD.includes(one)) === true;
  const isParticiple = words.some(({ text }) => /[a-z]{3}(ed|en)$/.test(text) && !NOUN.test(text));
  return isHeld || (!isMeasured(words) && (isParticiple || words.some(({ concepts }) => concepts.includes("flag"))));
}

/** `manual_hold`, `fraud_block`. */
const OF_HELD: readonly Concept[] = ["flag", "withdrawn", "withdrawal", "ending"];

/** That end like a participle. */
const NOUN = /^(speed|feed|breed|screen|token|hundred|garden|citizen|volumen)$/;

const NUMERIC: readonly CatalogColumn["family"][] = ["smallint", "integer", "bigint", "decimal"];

/**
 * A row has another code than a new one. `words`: those of the column; where a new row is only a draft among them, no
 * code says by itself that a row waits.
 */
export function unlikeFirst(
  column: CatalogColumn,
  first: string,
  zone: string,
  words: readonly string[] = [],
): RowMark {
  const mark = markOf("withdrawn", column, zone);
  if (isHeldBack(first, words)) {
    const says = `${column.name} is set, of which ${first} may be held back, until this is answered`;
    return { ...mark, says };
  }
  const isFirst = { column: mark.column, in: [NUMERIC.includes(column.family) ? Number(first) : first] };
  return {
    ...mark,
    holds: { all: [mark.holds, { not: isFirst }] },
    says: `${column.name} is not ${first}, which a new row has, until this is answered`,
  };
}
