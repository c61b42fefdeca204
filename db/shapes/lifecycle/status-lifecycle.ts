import { spellingOf } from "#domain/text/spelling.ts";
import type { CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn, MarkedLifecycle, PendingWord } from "../../stores/port/mapping.ts";
import type { StatusWords } from "../../stores/port/mapping-fingerprint.ts";
import type { TypeFamily } from "../../stores/port/type-family.ts";
import { isCode, labelsOf } from "../columns/code-labels.ts";
import { plainName } from "../columns/plain-name.ts";
import type { MappingOverrides, StatusList } from "../overrides.ts";
import { isFlagName } from "../words/flag-names.ts";
import { indexHintsOf } from "../words/index-hints.ts";
import { wordsOf } from "../words/name-words.ts";
import { isHeldBack, meaningAmong, meaningOf, meaningOfFlag, usualWords, waitsForElse } from "../words/status-words.ts";

const LISTS: readonly StatusList[] = ["pending", "inFlight", "failed", "published", "dead", "expired"];

/**
 * A lifecycle by a status column. Its words are those of an enum or a CHECK; otherwise those that something shows (the
 * default, an index predicate, the rows) and, to read a free text, the usual ones. Only what is shown may be written.
 */
export function statusLifecycle(
  column: MappedColumn,
  table: CatalogTable,
  overrides: MappingOverrides,
): MarkedLifecycle {
  const configured = overrides.lifecycle;
  const declared = table.words[column.name];
  const shown = shownWords(table, column.name);
  const example = defaultWordOf(table, column.name);
  const open = isText(familyOf(table, column)) ? usualWords(shown).filter(isOpen(table, column.name, shown)) : [];
  const words = inSpellingOf(example ?? shown[0], declared ?? [...new Set([...shown, ...open])]);
  const meaning = meaningIn(table, column.name, declared ?? shown);
  const meant = (list: StatusList) => words.filter((word) => meaning(word) === list);
  const isBare = isFoundBare(table, column.name) && meant("pending").length === 0;
  const lists: StatusWords = {
    pending: configured?.pending ?? (isBare ? [null] : meant("pending")),
    inFlight: configured?.inFlight ?? meant("inFlight"),
    failed: configured?.failed ?? meant("failed"),
    published: configured?.published ?? meant("published"),
    dead: configured?.dead ?? meant("dead"),
    expired: configured?.expired ?? meant("expired"),
  };
  const written = LISTS.flatMap((list): readonly PendingWord[] => configured?.[list] ?? []);
  const guessed = declared === undefined && configured?.dead === undefined;
  const known = [...written, ...shown, ...lists.pending.filter((word) => word === null)];
  return { kind: "status", column, ...lists, guessed, ...(guessed ? { shown: [...new Set(known)] } : {}) };
}

/**
 * A partial index has the rows without a status (`WHERE status IS NULL`), and no default gives a new row one: by this
 * index the waiting rows are found. Only where its words are known: one of them may be what a new row has.
 */
function isFoundBare(table: CatalogTable, name: string): boolean {
  const column = table.columns.find((one) => one.name === name);
  const isRead = table.words[name] !== undefined || table.values?.[name] !== undefined;
  return isRead && column?.nullable === true && !column.hasDefault && indexHintsOf(table).nulls.has(name);
}

/**
 * False for pending words if rows without a status exist, or an index is on them, and no pending word is shown: those
 * rows may be the waiting ones, and a usual word that we write would be one that no relay looks for.
 */
function isOpen(table: CatalogTable, column: string, shown: readonly string[]): (word: string) => boolean {
  const hasBare = table.values?.[column]?.nulls === true || isFoundBare(table, column);
  const isBare = hasBare && shown.every((word) => meaningOf(word) !== "pending");
  return (word) => !isBare || meaningOf(word) !== "pending";
}

/**
 * Words of a status that something shows: its default, an index predicate, an enum or a CHECK, the rows that were read.
 */
export function shownWords(table: CatalogTable, column: string): string[] {
  const example = defaultWordOf(table, column);
  const indexed = indexHintsOf(table).words.get(column) ?? [];
  const seen = table.values?.[column]?.words ?? [];
  const listed = [...(table.words[column] ?? []), ...Object.keys(table.labels?.[column] ?? {})];
  return [...new Set([...(example === undefined ? [] : [example]), ...indexed, ...listed, ...seen])];
}

/**
 * The status word of a new row, from the column's default, e.g. `'PENDING'` or `0`, in Postgres with its type behind
 * it; it shows the table's spelling.
 */
export function defaultWordOf(table: CatalogTable, column: string): string | undefined {
  const sql = table.columns.find((candidate) => candidate.name === column)?.defaultSql ?? "";
  return /^\(?'([^']+)'\)?(?:::|$)/.exec(sql)?.[1] ?? /^\(?(-?\d+)\)?(?:::|$)/.exec(sql)?.[1];
}

/** The number that a new row has in a column, by its default; null without one. */
export function defaultNumberOf(table: CatalogTable, column: string): number | null {
  const word = defaultWordOf(table, column);
  return word !== undefined && /^-?\d+$/.test(word) ? Number(word) : null;
}

/** What the words of a column mean: of a code that is not known, the default is a new row's and so pending. */
function meaningIn(
  table: CatalogTable,
  column: string,
  seen: readonly string[],
): (word: string) => StatusList | undefined {
  // A number that is no flag's (`sent` of 0, 1, 2) leaves the others without a meaning: 1 may be on its way.
  const isFlag =
    isFlagName(wordsOf(plainName(table, column))) &&
    seen.every((word) => !/^-?\d+$/.test(word) || meaningOfFlag(word) !== undefined);
  const ofNewRow = defaultWordOf(table, column);
  const { nulls, words } = indexHintsOf(table);
  const indexed = words.get(column) ?? [];
  // Beside an index of rows without a status, one of a word may be of rows that failed.
  const first = ofNewRow ?? (indexed.length === 1 && !nulls.has(column) ? indexed[0] : undefined);
  const listed = table.words[column] !== undefined;
  const waits = seen.some((word) => meaningAmong(word, seen, { ofNewRow, listed }) === "pending");
  const ofCode = meaningByLabel(table, column, isFlagName(wordsOf(plainName(table, column))));
  return (word) => {
    if (ofCode && (isCode(word) || labelsOf(table, column)?.[word] !== undefined)) return ofCode(word);
    if (isFlag && isOtherLetter(word, seen, ofNewRow)) return /^f$/i.test(word) ? "failed" : undefined;
    const meant = (isFlag ? meaningOfFlag(word) : undefined) ?? meaningAmong(word, seen, { ofNewRow, listed });
    // A new row is in nobody's hands, whatever its word says: `SENDING` is then what waits.
    if (word.toLowerCase() === ofNewRow?.toLowerCase() && meant === "inFlight" && !waits) return "pending";
    // A new row need not wait yet: beside a word for what waits, `DRAFT` is something else.
    return (
      meant ?? (word === first && !waits && !waitsForElse(word) && !isHeldBack(word, seen) ? "pending" : undefined)
    );
  };
}

/**
 * The `F` of N, J and F is no second no beside the one that a new row has: in every language that is read it means
 * failed.
 */
function isOtherLetter(word: string, seen: readonly string[], first: string | undefined): boolean {
  const meant = meaningOfFlag(word);
  const alike = seen.filter((one) => meaningOfFlag(one) === meant).map((one) => one.toLowerCase());
  return meant !== undefined && new Set(alike).size > 1 && word.toLowerCase() !== first?.toLowerCase();
}

/** What the codes of a column mean whose words are written down: what these say, and nothing else. */
function meaningByLabel(
  table: CatalogTable,
  column: string,
  isFlag: boolean,
): ((code: string) => StatusList | undefined) | null {
  const labels = labelsOf(table, column);
  if (!labels) return null;
  const begin = defaultWordOf(table, column) ?? "";
  const ofNewRow = labels[begin];
  const words = Object.values(labels);
  const meaning = (label: string) => meaningAmong(label, words, { ofNewRow, listed: true });
  const waits = words.some((label) => meaning(label) === "pending");
  return (code) => {
    const label = labels[code];
    if (label === undefined) return undefined;
    const meant = meaning(label) ?? (isFlag ? meaningOfFlag(label) : undefined);
    return code === begin && meant === "inFlight" && !waits ? "pending" : meant;
  };
}

export function familyOf(table: CatalogTable, { name }: Pick<MappedColumn, "name">): TypeFamily | undefined {
  return table.columns.find((column) => column.name === name)?.family;
}

const isText = (family: TypeFamily | undefined) => family === "text" || family === "compact";

/** Sorts the default first, then words in its spelling: the first word of a list is the one we write. */
function inSpellingOf(example: string | undefined, words: readonly string[]): string[] {
  if (example === undefined) return [...words];
  const rank = (word: string) => (word === example ? 0 : spellingOf(word) === spellingOf(example) ? 1 : 2);
  return [...words].sort((a, b) => rank(a) - rank(b));
}
