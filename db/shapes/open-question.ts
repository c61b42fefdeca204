import type { CatalogTable } from "../stores/port/catalog.ts";
import type { MappedColumn, MarkedLifecycle, PendingWord } from "../stores/port/mapping.ts";
import { labelsOf } from "./columns/code-labels.ts";
import { plainName } from "./columns/plain-name.ts";
import { shownWords } from "./lifecycle/status-lifecycle.ts";
import type { MappingOverrides, StatusList } from "./overrides.ts";
import { isFlagName, isWaitingName } from "./words/flag-names.ts";
import { wordsOf } from "./words/name-words.ts";

export interface Asked {
  table: CatalogTable;
  lifecycle: MarkedLifecycle;
  overrides: MappingOverrides;
  /** How its rows are read, where there are marks beside the published one. */
  ends?: { reading?: string } | null;
  /**
   * Sentences, behind a space: how a publisher's claim, and a row that was given up, show; empty where nothing does.
   */
  claim?: string;
  /** The column of the published mark, beside a status. */
  published?: MappedColumn | undefined;
  /** Columns that may say that a row is not to be sent, and that are not read. */
  unread?: readonly string[];
}

type Status = Extract<MarkedLifecycle, { kind: "status" }>;

/**
 * The question a person must answer before anyone acts on a table recognised by its column names: which column marks a
 * message as published, and with which words. Null once the configuration names them.
 */
export function questionOf(asked: Asked): string | null {
  const { lifecycle, overrides, ends } = asked;
  switch (lifecycle.kind) {
    case "unknown":
      return "Which column marks a message as published?";
    case "delete":
      return overrides.lifecycle?.kind === "delete" || overrides.unmarked === "delete"
        ? null
        : "Does the relay of this table delete a row once it is published?";
    case "log":
      return null;
    case "status":
      return statusQuestion(lifecycle, asked);
    default:
      return overrides.columns.publishedAt === lifecycle.column.name
        ? null
        : `Does ${lifecycle.column.name}${isWaitingName(plainName(asked.table, lifecycle.column.name)) ? " being false" : ""} really mark a message as published?${ends?.reading ? ` Its rows are read so: ${ends.reading}` : (asked.claim ?? "")}${bareText(asked)}${unreadText(asked)}`;
  }
}

/** Sentence: rows of a flag that begins without a value say neither; empty where it has one from the start. */
function bareText({ table, lifecycle }: Asked): string {
  if (lifecycle.kind !== "flag") return "";
  const { name } = lifecycle.column;
  const isBare = table.columns.some((one) => one.name === name && one.nullable && !one.hasDefault);
  return isBare ? ` Rows in which ${name} is null stay in state unknown.` : "";
}

/** Words that are listed and are no numbers: a number does not say what it means, except in a flag. */
function saysMeaning(table: CatalogTable, name: string): boolean {
  const declared = table.words[name];
  if (declared === undefined) return false;
  return isFlagName(wordsOf(plainName(table, name))) || !declared.every((word) => /^-?\d+$/.test(word));
}

function wordsQuestion(lifecycle: Status, table: CatalogTable): string {
  const { name } = lifecycle.column;
  const seen = shownWords(table, name);
  const found = seen.length > 0 ? ` It has ${seen.join(", ")}.` : "";
  const open = ifBareIsNew(lifecycle, table);
  const bare = open === null ? "" : ` Rows without one stay in state unknown. ${open}`;
  const key = table.references?.find(({ columns }) => columns.length === 1 && columns[0] === name);
  const listed = key ? ` ${key.schema}.${key.name} says what they are.` : "";
  return `Which words of ${name} mean pending and published?${found}${bare}${listed}`;
}

function unreadText({ unread = [] }: Asked): string {
  return unread.length > 0 ? ` Not read: ${unread.join(", ")}.` : "";
}

const MEANING = {
  dead: "Otherwise its row is dead when",
  failed: "Otherwise its row is failed when",
  withdrawn: "Otherwise its row is of an unknown state when",
  doubted: "A published row is of an unknown state when",
} as const;

/** Sentences: what columns beside the status say of a row. */
function besideIt({ marks = [] }: Status): string {
  return marks.map(({ kind, says }) => ` ${MEANING[kind]} ${says}.`).join("");
}

/** Words of a status that are shown: the others are only the usual ones. */
const shownOf =
  ({ guessed, shown }: Status) =>
  (word: PendingWord) =>
    guessed !== true || shown?.includes(word) === true;

/** False if no word that the status is known to have means published. */
export const saysPublished = (lifecycle: Status): boolean => lifecycle.published.some(shownOf(lifecycle));

/** Sentence: what may mark a message as published where the status has no word for it. */
function instead(lifecycle: Status, { table, published }: Asked): string {
  if (!published || saysPublished(lifecycle) || shownWords(table, lifecycle.column.name).length < 2) return "";
  const kind = published.time ? "timestamp" : "flag";
  return ` No value of ${lifecycle.column.name} is known to mean published. If ${published.name} says it, set lifecycle.kind to ${kind}.`;
}

const STATES = [
  ["pending", "waiting"],
  ["inFlight", "in flight"],
  ["failed", "failed"],
  ["published", "published"],
  ["dead", "dead"],
  ["expired", "expired"],
] as const;

/** Numbers as people list them; words as the table does. */
const inOrder = (words: readonly string[]) =>
  words.every((word) => /^-?\d+$/.test(word)) ? words.toSorted((one, other) => Number(one) - Number(other)) : words;

const listed = (lifecycle: Status, list: StatusList): readonly PendingWord[] => lifecycle[list];

/** Sentence: what to answer if a row without a status waits; null if no such row was found, or the answer is known. */
export function ifBareIsNew(lifecycle: Status, table: CatalogTable): string | null {
  const { column, pending } = lifecycle;
  if (table.values?.[column.name]?.nulls !== true || pending.includes(null)) return null;
  const words = pending.filter(shownOf(lifecycle));
  return `If a row without one is new, write lifecycle.pending: [${[...words, null].map(String).join(", ")}].`;
}

/** Sentence: what each value means that the table shows; of the others nobody needs to be asked yet. */
function wordsRead(lifecycle: Status, { table }: Asked): string {
  const isShown = shownOf(lifecycle);
  const labels = labelsOf(table, lifecycle.column.name) ?? {};
  const named = (word: PendingWord) =>
    word === null ? "NULL" : labels[word] === undefined ? word : `${word} (${labels[word]})`;
  const read = STATES.flatMap(([list, state]) => {
    const words = listed(lifecycle, list).filter(isShown);
    return words.length > 0 ? [`${words.map(named).join(", ")}: ${state}`] : [];
  });
  const known = new Set(STATES.flatMap(([list]) => listed(lifecycle, list)));
  const open = inOrder(shownWords(table, lifecycle.column.name).filter((word) => !known.has(word)));
  const unknown = open.length > 0 ? [`${open.map(named).join(", ")}: not known`] : [];
  const bare = ifBareIsNew(lifecycle, table);
  const all = [...read, ...unknown, ...(bare === null ? [] : ["NULL: not known"])];
  if (all.length === 0) return " No value of it is known yet.";
  return ` Its values mean: ${all.join("; ")}.${bare === null ? "" : ` ${bare}`}`;
}

/**
 * Configured words show that a person has checked the column. Words listed in the catalog do not say what they mean.
 */
function statusQuestion(lifecycle: Status, asked: Asked): string | null {
  const { table, overrides } = asked;
  const { name } = lifecycle.column;
  const words = overrides.lifecycle;
  const wordsWritten = words?.pending !== undefined && words.published !== undefined;
  const named = overrides.columns.status === name || wordsWritten;
  if (!named)
    return `Does ${name} really mark a message as published?${wordsRead(lifecycle, asked)}${besideIt(lifecycle)}${instead(lifecycle, asked)}${asked.claim ?? ""}${unreadText(asked)}`;
  if (!wordsWritten && !saysMeaning(table, name)) return wordsQuestion(lifecycle, table);
  if (lifecycle.pending.length === 0)
    return `Which word of ${name} means pending?${lifecycle.column.nullable ? " If a row without one is new, write lifecycle.pending: [null]." : ""}`;
  return lifecycle.published.length === 0 ? `Which word of ${name} means published?` : null;
}
