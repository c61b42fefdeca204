import type { CatalogTable } from "../stores/port/catalog.ts";
import type { ColumnRole } from "../stores/port/mapping.ts";
import { assignRoles } from "./columns/assign-roles.ts";
import { findLibrary } from "./find-library.ts";
import { judgeTable } from "./judge-table.ts";
import { type NameWord, wordsOf } from "./words/name-words.ts";

/** A table that a foreign key ties to another, with the columns of the key. */
interface Tied {
  table: CatalogTable;
  columns: readonly string[];
}

/** Tables to which this one refers, and tables that refer to it. */
function tiedTo(table: CatalogTable, tables: readonly CatalogTable[]): Tied[] {
  const isNamed = (one: CatalogTable, { schema, name }: { schema: string; name: string }) =>
    one.schema === schema && one.name === name;
  const parents = (table.references ?? []).flatMap((key) =>
    tables.filter((one) => one !== table && isNamed(one, key)).map((one) => ({ table: one, columns: key.columns })),
  );
  const children = tables
    .filter((one) => one !== table)
    .flatMap((one) =>
      (one.references ?? []).filter((key) => isNamed(table, key)).map(({ columns }) => ({ table: one, columns })),
    );
  return [...parents, ...children];
}

/** True for a table that a foreign key ties to an outbox: of its states, its deliveries. */
export function helpsOutbox(table: CatalogTable, tables: readonly CatalogTable[]): boolean {
  return tiedTo(table, tables).some((tied) => judgeTable(tied.table).kind === "outbox");
}

/** Sentence: which table beside this one has the payload; empty if none is tied to it that could. */
export function payloadBeside(table: CatalogTable, tables: readonly CatalogTable[]): string {
  return besideWith(table, tables, ["payload"], "payload");
}

/** Sentence: which table beside this one says what was published; empty if none is tied to it that could. */
export function markBeside(table: CatalogTable, tables: readonly CatalogTable[]): string {
  return besideWith(table, tables, ["publishedAt", "status"], "mark of a published message");
}

function besideWith(
  table: CatalogTable,
  tables: readonly CatalogTable[],
  roles: readonly ColumnRole[],
  what: string,
): string {
  for (const tied of tiedTo(table, tables)) {
    const found = assignRoles(tied.table, {});
    const column = roles.map((role) => found[role]).find((one) => one !== undefined);
    if (!column) continue;
    const name = `${tied.table.schema}.${tied.table.name}`;
    return ` The ${what} may be ${column.name} of ${name}, which ${tied.columns.join(", ")} ties to it: the console reads one table.`;
  }
  return "";
}

/**
 * The outbox that this table has the dead or published rows of, as its name says: `outbox_dead` beside `outbox`. Most
 * have no mark of their own, or still the one of before, so that each row would count as waiting.
 */
export function leftFrom(table: CatalogTable, tables: readonly CatalogTable[]): CatalogTable | undefined {
  const name = withoutEnd(table.name);
  if (name === null || findLibrary(table)?.byName) return undefined;
  return tables.find(
    (one) => one !== table && one.schema === table.schema && plainly(wordsOf(one.name)) === name && isOutbox(one),
  );
}

const isOutbox = (table: CatalogTable) => ["outbox", "candidate"].includes(judgeTable(table).kind);

/** A name without the words for an end that it begins or ends with; null without one, or if nothing else is left. */
function withoutEnd(name: string): string | null {
  const words = wordsOf(name);
  const first = words.findIndex((word) => !isOver(word));
  const last = words.findLastIndex((word, place) => !isEnd(word, words[place - 1]) && !isNeutral(word));
  const end = words.slice(last + 1).some((word) => isEnd(word)) ? last + 1 : words.length;
  if (first === -1 || (first === 0 && end === words.length)) return null;
  return plainly(words.slice(first, end)) || null;
}

/** `outbox_failed_messages` is of `outbox_events` or `outbox` alike. */
const plainly = (words: readonly NameWord[]) =>
  words
    .filter((word) => !isNeutral(word))
    .map(({ text }) => text.replace(/(?<=[^s])s$/, ""))
    .join(" ");

const isNeutral = ({ concepts }: NameWord) => concepts.some((one) => NEUTRAL.includes(one));
const NEUTRAL: readonly NameWord["concepts"][number][] = ["event", "message", "record"];

/** `before`: the word before it. */
const isEnd = (word: NameWord, before?: NameWord) =>
  isOver(word) ||
  END.test(word.text) ||
  word.concepts.some((one) => ENDS.includes(one)) ||
  (word.text === "lot" && before?.text === "parking");
const ENDS: readonly NameWord["concepts"][number][] = ["published", "sent", "processed"];
const END = /^(arch|hist|parking|trash|graveyard)$/;

/** The same at the beginning of a name, where a noun such as `envio` says what the outbox is of. */
const isOver = ({ text, concepts }: NameWord) => OVER.test(text) || concepts.some((one) => OVERS.includes(one));
const OVERS: readonly NameWord["concepts"][number][] = ["dead", "failed"];
const OVER = /^(archived|published|sent|processed|rejected|rejects|expired|deleted)$/;

/**
 * The table that shows the rows of this one as well, because this one inherits from it. `isShown`: true for an outbox
 * that is shown.
 */
export function shownWith(
  table: CatalogTable,
  tables: readonly CatalogTable[],
  isShown: (table: CatalogTable) => boolean,
): CatalogTable | undefined {
  for (const from of table.inheritsFrom ?? []) {
    const parent = tables.find(({ schema, name }) => schema === from.schema && name === from.name);
    const shown = parent && (shownWith(parent, tables, isShown) ?? (isShown(parent) ? parent : undefined));
    if (shown) return shown;
  }
  return undefined;
}
