import type { CatalogColumn, CatalogTable } from "../stores/port/catalog.ts";
import type { MappedColumn } from "../stores/port/mapping.ts";
import { isFlagName } from "./assign-roles.ts";
import { type Columns, isNamed, toMapped, unused } from "./row-marks.ts";
import { matchWords } from "./words/match-words.ts";
import { type NameWord, wordsOf } from "./words/name-words.ts";
import { patterns, ROLE_PATTERNS } from "./words/role-patterns.ts";

/**
 * Other times that say the same of the row as its published mark does, each of another destination (`kafka_sent_at`
 * beside `webhook_sent_at`).
 */
export function otherDestinations(table: CatalogTable, columns: Columns, zone: string): MappedColumn[] {
  const { publishedAt } = columns;
  const mark = publishedAt && table.columns.find(({ name }) => name === publishedAt.name);
  if (!mark || mark.family === "boolean") return [];
  const isOther = isOfDestination(mark) ? isOfDestination : otherHalf(mark.name);
  return unused(table, columns)
    .filter((column) => column.family === mark.family && column.nullable && isOther(column))
    .map((column) => toMapped(column, zone));
}

/** A published flag, or one that says that the row waits, and what it has of a row that was sent. */
export interface FlagBeside {
  column: MappedColumn;
  sent: "true" | "false";
}

/**
 * A flag that says of the row what its published time says: where they disagree, one of them is not the relay's, and
 * nobody can tell which.
 */
export function flagBesideTime(table: CatalogTable, columns: Columns, zone: string): FlagBeside | null {
  const { publishedAt } = columns;
  const mark = publishedAt && table.columns.find(({ name }) => name === publishedAt.name);
  if (!mark || mark.family === "boolean") return null;
  const flags = unused(table, columns).filter(({ family }) => family === "boolean");
  const sent = flags.find(({ name }) => isFlagName(wordsOf(name)));
  if (sent) return { column: toMapped(sent, zone), sent: "true" };
  const waits = flags.find(({ name }) => WAITS.test(joined(name)));
  return waits ? { column: toMapped(waits, zone), sent: "false" } : null;
}

const WAITS =
  /^(is)?(pending|waiting|unsent|unpublished|unprocessed|undelivered|pendiente|pendente|inattesa|ausstehend|enattente)$/;
const joined = (name: string) =>
  wordsOf(name)
    .map(({ text }) => text)
    .join("");

const HANDED_OVER = patterns("10 published time", "10 sent time");
const CONFIRMED = /^(ack|acked|acknowledged|confirmed|delivered)$/;

/** A message that was handed over is on its way until it is confirmed: of the two times, one alone says too little. */
function otherHalf(mark: string): (column: CatalogColumn) => boolean {
  const isConfirmed = (name: string) =>
    wordsOf(name).some(({ text }) => CONFIRMED.test(text)) && isPlainTime(withoutConfirmation(name));
  const isHandedOver = (name: string) => !isConfirmed(name) && isNamed({ name }, HANDED_OVER);
  if (isConfirmed(mark)) return ({ name }) => isHandedOver(name);
  return isHandedOver(mark) ? ({ name }) => isConfirmed(name) : () => false;
}

const withoutConfirmation = (name: string) => wordsOf(name).filter(({ text }) => !CONFIRMED.test(text));
const isPlainTime = (words: readonly NameWord[]) => words.length === 1 && words[0]?.concepts.includes("time") === true;

/** The name of a published time with a word that says where to. */
function isOfDestination({ name }: CatalogColumn): boolean {
  const words = wordsOf(name);
  const isPlain = (word: NameWord) => word.concepts.length > 0 && !word.concepts.includes("broker");
  const plain = words.filter(isPlain);
  const says = ROLE_PATTERNS.publishedAt.some((pattern) => matchWords(plain, pattern) !== null);
  return plain.length < words.length && plain.length >= 2 && says;
}
