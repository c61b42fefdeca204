import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import type { TypeFamily } from "../../stores/port/type-family.ts";
import { isFlagText } from "../columns/assign-roles.ts";
import { plainName } from "../columns/plain-name.ts";
import { placeholderOf } from "../columns/unset-default.ts";
import { isNamed } from "../lifecycle/row-marks.ts";
import { INBOX_PATTERNS, type InboxRole } from "../words/inbox-patterns.ts";
import { matchWords } from "../words/match-words.ts";
import { type NameWord, wordsOf } from "../words/name-words.ts";

export type { InboxRole } from "../words/inbox-patterns.ts";

const TIMES: readonly TypeFamily[] = ["instant", "datetime", "bigint", "integer", "compact"];
const isOf =
  (families: readonly TypeFamily[]) =>
  ({ family }: CatalogColumn) =>
    families.includes(family);
const isNoOf =
  (families: readonly TypeFamily[]) =>
  ({ family }: CatalogColumn) =>
    !families.includes(family);

const FITS: Record<InboxRole, (column: CatalogColumn) => boolean> = {
  messageId: isNoOf(["instant", "datetime", "json", "boolean"]),
  consumer: isNoOf([...TIMES, "json", "boolean"]),
  eventType: isNoOf([...TIMES, "json", "boolean"]),
  receivedAt: isOf(TIMES),
  processedAt: (column) => isOf(TIMES)(column) && column.onUpdate !== true,
  processed: isOf(["boolean"]),
  status: isNoOf(["instant", "datetime", "json", "binary", "boolean", "uuid"]),
  error: (column) => isOf(["text", "json"])(column) && !isFlagText(column),
};

/** Columns of an inbox by role, each column in one role; the surest names first. */
export function inboxColumns(table: CatalogTable): Partial<Record<InboxRole, CatalogColumn>> {
  const roles = Object.keys(INBOX_PATTERNS) as InboxRole[];
  const matches = table.columns
    .flatMap((column) => roles.map((role) => ({ role, column, score: scoreOf(role, column, nameIn(table, column)) })))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score);
  const found: Partial<Record<InboxRole, CatalogColumn>> = {};
  const taken = new Set<string>();
  for (const { role, column } of matches) {
    if (found[role] || taken.has(column.name)) continue;
    found[role] = column;
    taken.add(column.name);
  }
  return found;
}

/** `processed int`: a number is a time only if its name says so. */
function isFlagForTime(role: InboxRole, { family }: CatalogColumn, name: string): boolean {
  if (role !== "processedAt" || !["integer", "bigint", "compact"].includes(family)) return false;
  return !wordsOf(name).some(({ concepts }) => concepts.includes("time"));
}

/** Less than a status. */
const CODED_FLAG = 7;

/** `processed char(1)`, `handled smallint`: a flag that is no boolean is a status of codes. */
function isCodedFlag({ hasDefault, family }: CatalogColumn, words: readonly NameWord[]): boolean {
  return (hasDefault || family === "words") && INBOX_PATTERNS.processed.some((one) => matchWords(words, one) !== null);
}

/** More than an id of the row's own (7), less than a plain id of a message. */
const SENDERS_ID = 7.6;

/**
 * `source_message_id`, `external_id`: the sender's id of the message, where a key has it. `source_id` is that of the
 * sender.
 */
const isOfSender = (name: string, isUnique: boolean) =>
  isUnique &&
  /^((source|sender|producer|original|origin|upstream)[_-]?(message|msg|event)|(external|remote|foreign|provider)[_-]?((message|msg|event)[_-]?)?)[_-]?(id|uuid|key|ref)$/i.test(
    name,
  );

/** Less than an id of the row's own. */
const DIGEST = 6.5;

/** `message_hash`, `fingerprint`, `sha256`: what a consumer without an id recognises a message by. */
const isDigest = (words: readonly NameWord[], isUnique: boolean) =>
  isUnique &&
  words.some(({ text }) =>
    /^(hash|digest|fingerprint|checksum|sha|sha1|sha256|md5|hashwert|pruefsumme|huella|empreinte)$/.test(text),
  );

interface Named {
  name: string;
  isUnique: boolean;
}

function nameIn(table: CatalogTable, { name }: CatalogColumn): Named {
  const isUnique = [table.primaryKey, ...table.uniqueKeys].some((key) => key.includes(name));
  return { name: plainName(table, name), isUnique };
}

function scoreOf(role: InboxRole, column: CatalogColumn, { name, isUnique }: Named): number {
  if (!FITS[role](column) || isFlagForTime(role, column, name)) return 0;
  const words = wordsOf(name).filter(({ text }, place) => text !== "inbox" || place > 0);
  // The key of a message is its broker's, and identifies nothing where it may be missing.
  if (role === "messageId" && column.nullable && !words.some(({ concepts }) => concepts.includes("id"))) return 0;
  if (role === "messageId" && isOfSender(name, isUnique)) return SENDERS_ID;
  if (role === "messageId" && isDigest(words, isUnique)) return DIGEST;
  const fits = Math.max(0, ...INBOX_PATTERNS[role].flatMap((pattern) => matchWords(words, pattern) ?? []));
  if (role === "status" && fits === 0 && isCodedFlag(column, words)) return CODED_FLAG;
  // `finished_at`, which may be missing or have a placeholder, says more than `consumed_at`, which every row has.
  const isOpen = role === "processedAt" && ((column.nullable && !column.hasDefault) || placeholderOf(column) !== null);
  return fits > 0 && isOpen ? fits + 1 : fits;
}

/**
 * Beside a time that every row has, one of processing in a form that is not read: `finished_on date`, `processed_ts
 * text`.
 */
export function hasUnreadTime(table: CatalogTable, columns: Partial<Record<InboxRole, CatalogColumn>>): boolean {
  const taken = new Set(Object.values(columns).map(({ name }) => name));
  return table.columns.some((column) => {
    const isOpen = column.nullable && !column.hasDefault && column.family !== "boolean";
    return isOpen && !taken.has(column.name) && isNamed(table, column, INBOX_PATTERNS.processedAt);
  });
}
