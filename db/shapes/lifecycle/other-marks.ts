import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn } from "../../stores/port/mapping.ts";
import type { Condition } from "../../stores/port/table-rules.ts";
import { plainName } from "../columns/plain-name.ts";
import { isEmptyText, isOpenTime, isSetAtFirst } from "../columns/unset-default.ts";
import type { Concept } from "../words/concepts.ts";
import { isFlagName, isWaitingName } from "../words/flag-names.ts";
import { indexHintsOf } from "../words/index-hints.ts";
import { matchWords } from "../words/match-words.ts";
import { type NameWord, wordsOf } from "../words/name-words.ts";
import { patterns, ROLE_PATTERNS } from "../words/role-patterns.ts";
import { NO_LETTERS } from "../words/status-words.ts";
import { codedFlagOf } from "./coded-flag.ts";
import { type Columns, isNamed, setMark, toMapped, unused } from "./row-marks.ts";
import type { Doubt } from "./sent-again.ts";
import { shownWords } from "./status-lifecycle.ts";
import { SUCCESS } from "./success-flag.ts";

/**
 * Other times or flags that say the same of the row as its published mark does, each of another destination
 * (`kafka_sent_at` beside `webhook_sent_at`, `sent_to_kafka` beside `sent_to_search`).
 */
export function otherDestinations(table: CatalogTable, columns: Columns, zone: string): MappedColumn[] {
  const { publishedAt } = columns;
  const mark = publishedAt && table.columns.find(({ name }) => name === publishedAt.name);
  if (!mark) return [];
  const isOfSent = (column: CatalogColumn) => column.family === mark.family && !isSetAtFirst(column);
  const isFlag = mark.family === "boolean";
  const isOther = isOfDestination(table, mark) ? isElsewhere : isFlag ? saysSent : otherHalf(table, mark.name);
  return unused(table, columns)
    .filter((column) => isOfSent(column) && (isFlag || column.nullable) && isOther(table, column))
    .map((column) => toMapped(column, zone));
}

/**
 * Statuses that say the same of the row as `status` does, each of another destination (`kafka_status`, `email_status`).
 */
export function otherStatuses(table: CatalogTable, columns: Columns, status: string): string[] {
  if (!isStatusOfDestination(table, status)) return [];
  const family = table.columns.find(({ name }) => name === status)?.family;
  return unused(table, columns)
    .filter((column) => column.family === family && column.name !== status && isStatusOfDestination(table, column.name))
    .map(({ name }) => name);
}

/**
 * Other columns that may as well be the status (`publish_status` beside `status`): one of them may be that of the
 * message's subject. None where an index shows which one a relay asks for.
 */
export function rivalStatuses(table: CatalogTable, columns: Columns, status: string): string[] {
  if (indexHintsOf(table).words.has(status)) return [];
  return unused(table, columns)
    .filter(({ name, family, generated }) => name !== status && !generated && WORDS.includes(family))
    .filter((column) => isNamed(table, column, ROLE_PATTERNS.status) && shownWords(table, column.name).length > 0)
    .map(({ name }) => name);
}

const WORDS: readonly CatalogColumn["family"][] = ["text", "words", "compact", "smallint"];

function isStatusOfDestination(table: CatalogTable, name: string): boolean {
  const words = wordsOf(plainName(table, name));
  const plain = words.filter(({ concepts }) => concepts.length > 0 && !concepts.includes("broker"));
  const isStatus = ROLE_PATTERNS.status.some((pattern) => matchWords(plain, pattern) !== null);
  return plain.length > 0 && plain.length < words.length && (isStatus || isFlagName(plain));
}

/** A published flag, or one that says that the row waits, and what it has of a row that was sent. */
export interface FlagBeside {
  column: MappedColumn;
  sent: "true" | "false";
}

/**
 * A flag that says of the row what its published time or flag says: where they disagree, one of them is not the
 * relay's, and nobody can tell which.
 */
export function flagBesideTime(table: CatalogTable, columns: Columns, zone: string): FlagBeside | null {
  const { publishedAt } = columns;
  const mark = publishedAt && table.columns.find(({ name }) => name === publishedAt.name);
  if (!mark) return null;
  const flags = unused(table, columns).filter(({ family, generated }) => family === "boolean" && !generated);
  // Beside a flag another one that says that it was sent is of another destination.
  const said = mark.family === "boolean" ? [] : flags.filter((flag) => saysSent(table, flag));
  const sent = said.find((flag) => isOfOneWord(table, mark, flag)) ?? said[0];
  if (sent) return { column: toMapped(sent, zone), sent: "true" };
  // A new row of `undelivered DEFAULT false` waits, so that true says that it was given up.
  const waits = flags.find(({ name, defaultSql }) => {
    const plain = plainName(table, name);
    return isWaitingName(plain) && (!/^\(?b?'?(false|0|f)\b/i.test(defaultSql ?? "") || /dirty|sync/i.test(plain));
  });
  return waits ? { column: toMapped(waits, zone), sent: "false" } : null;
}

/** `published` of `published_at`, also where `processed` stands before it. */
function isOfOneWord(table: CatalogTable, mark: CatalogColumn, flag: CatalogColumn): boolean {
  const words = wordsOf(plainName(table, mark.name)).map(({ text }) => text);
  return wordsOf(plainName(table, flag.name)).some(({ text }) => words.includes(text));
}

/** The name of a flag that says that a message was published, or that it was confirmed. */
const saysSent = (table: CatalogTable, column: Pick<CatalogColumn, "name">): boolean =>
  isFlagName(wordsOf(plainName(table, column.name))) || saysConfirmed(table, column);

function saysConfirmed(table: CatalogTable, { name }: Pick<CatalogColumn, "name">): boolean {
  const words = wordsOf(plainName(table, name));
  const plain = words.filter(({ concepts }) => !concepts.some((one) => OF_BROKER.includes(one)));
  return plain.length === 1 && CONFIRMED.test(plain[0]?.text ?? "");
}

const HANDED_OVER = patterns("10 published time", "10 sent time");
const CONFIRMED =
  /^(ack|acks|acked|acknowledged|acknowledgement|confirmed|delivered|confirmado|confirmada|confirmato|confirmata|confirme|confirmee|acquitte|acquittee|bestaetigt|bestatigt|quittiert|bevestigd|potwierdzono|potwierdzone)$/;
/** Who confirmed it is said beside it (`broker_ack`). */
const OF_BROKER: readonly Concept[] = ["flag", "broker", "event", "message", "outbox"];

/** A message that was handed over is on its way until it is confirmed: of the two times, one alone says too little. */
function otherHalf(table: CatalogTable, mark: string): (table: CatalogTable, column: CatalogColumn) => boolean {
  const isConfirmed = (name: string) =>
    wordsOf(plainName(table, name)).some(({ text }) => CONFIRMED.test(text)) &&
    isPlainTime(withoutConfirmation(plainName(table, name)));
  const isHandedOver = (name: string) => !isConfirmed(name) && isNamed(table, { name }, HANDED_OVER);
  if (isConfirmed(mark)) return (_, { name }) => isHandedOver(name);
  return isHandedOver(mark) ? (_, { name }) => isConfirmed(name) : () => false;
}

const withoutConfirmation = (name: string) => wordsOf(name).filter(({ text }) => !CONFIRMED.test(text));
const isPlainTime = (words: readonly NameWord[]) => words.length === 1 && words[0]?.concepts.includes("time") === true;

/** The name of a published time or flag with a word that says where to. */
function isOfDestination(table: CatalogTable, { name, family }: CatalogColumn): boolean {
  const words = wordsOf(plainName(table, name));
  const isPlain = (word: NameWord) => word.concepts.length > 0 && !word.concepts.includes("broker");
  const plain = words.filter(isPlain);
  const says = ROLE_PATTERNS.publishedAt.some((pattern) => matchWords(plain, pattern) !== null);
  return plain.length < words.length && plain.length >= (family === "boolean" ? 1 : 2) && says;
}

/**
 * The same, or a time or flag of what else is done with the message elsewhere: `es_indexed`, `cache_invalidated_at`,
 * `emailed`.
 */
function isElsewhere(table: CatalogTable, column: CatalogColumn): boolean {
  if (isOfDestination(table, column)) return true;
  const words = wordsOf(plainName(table, column.name));
  const isNamed = words.some(({ text, concepts }) => concepts.length === 0 && !DONE_ELSEWHERE.test(text));
  return words.some(({ text }) => (isNamed ? DONE_ELSEWHERE : DONE_SOMEWHERE).test(text));
}

/** Beside a word that says where. */
const DONE_ELSEWHERE =
  /^(indexed|cached|emailed|mailed|replicated|mirrored|synced|synchroni[sz]ed|notified|uploaded|exported|pushed|forwarded|posted|delivered|invalidated|refreshed|done)$/;
/** These say themselves where. */
const DONE_SOMEWHERE = /^(indexed|cached|emailed|mailed|replicated|mirrored)$/;

/**
 * Columns that say of another destination, or of the receiver, what the published mark says, in another form than that
 * (`webhook_sent_at bigint`, `broker_ack numeric(1)`): a published row of which one does not say it has not arrived
 * everywhere.
 */
export function saidElsewhere(table: CatalogTable, columns: Columns, zone: string): Doubt[] {
  const mark = table.columns.find(({ name }) => name === columns.publishedAt?.name);
  if (!mark) return [];
  const flag = flagBesideTime(table, columns, zone);
  const read = [...otherDestinations(table, columns, zone), ...(flag ? [flag.column] : [])].map(({ name }) => name);
  const isHalf = otherHalf(table, mark.name);
  const asFlag = (column: CatalogColumn) => (isOpenTime(column) ? column : { ...column, family: "boolean" as const });
  const isOfOne = isOfDestination(table, asFlag(mark));
  const isOther = (column: CatalogColumn) =>
    isOfOne
      ? isElsewhere(table, asFlag(column))
      : isHalf(table, column) || saysConfirmed(table, column) || isNamed(table, column, SUCCESS);
  return unused(table, columns)
    .filter(({ family }) => family !== "boolean" || (mark.family !== "boolean" && isOfOne))
    .filter((column) => !column.generated && !read.includes(column.name) && isOther(column))
    .flatMap((found) => {
      const yes = yesOf(table, found, zone);
      return yes ? [{ column: toMapped(found, zone), holds: { not: yes }, says: `${found.name} does not say so` }] : [];
    });
}

/** The same beside the code of a flag (`sent smallint` beside `acknowledged`). */
export function saidBesideCode(table: CatalogTable, columns: Columns, code: MappedColumn, zone: string): Doubt[] {
  const others = Object.fromEntries(Object.values(columns).map((column) => [column.name, column]));
  const used: Columns = { ...others, publishedAt: code };
  const elsewhere = saidElsewhere(table, used, zone);
  const read = elsewhere.map(({ column }) => column.name);
  const flags = unused(table, used)
    .filter((column) => column.family === "boolean" && !column.generated && saysSent(table, column))
    .filter(({ name }) => !read.includes(name))
    .map((found) => toMapped(found, zone));
  const unset = flags.map((column) => ({
    ...{ column, says: `${column.name} is not true` },
    holds: { not: { column, is: "true" as const } },
  }));
  return [...elsewhere, ...unset];
}

/** What a time in any form, a number or a letter has that says yes; null of anything else. */
function yesOf(table: CatalogTable, found: CatalogColumn, zone: string): Condition<MappedColumn> | null {
  if (isOpenTime(found)) return setMark(found, zone).holds;
  const column = toMapped(found, zone);
  if (found.family === "boolean") return { column, is: "true" };
  const flag = codedFlagOf(table, found, column);
  if (flag) return isNamed(table, found, SUCCESS) ? null : flag.isOn;
  if (found.family !== "text" || !/\(1\)$/.test(found.type) || !isEmptyText(found)) return null;
  return { all: [{ column, is: "filled" }, { not: { column, in: NO_LETTERS } }] };
}
