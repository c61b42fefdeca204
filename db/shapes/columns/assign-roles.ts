import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import { COLUMN_ROLES, type ColumnRole } from "../../stores/port/mapping.ts";
import type { TypeFamily } from "../../stores/port/type-family.ts";
import { isFlagName, isWaitingName, textOf } from "../words/flag-names.ts";
import { type IndexHints, indexHintsOf } from "../words/index-hints.ts";
import { matchWords, type Pattern } from "../words/match-words.ts";
import { hasConcept, type NameWord, wordsOf } from "../words/name-words.ts";
import { remember } from "../words/remember.ts";
import { ROLE_PATTERNS } from "../words/role-patterns.ts";
import { isEndName } from "../words/status-name.ts";
import { meaningOf, meaningOfFlag } from "../words/status-words.ts";
import { plainName } from "./plain-name.ts";
import { isRecordState } from "./record-state.ts";
import { isSetAtFirst, placeholderOf, unsetDefaultOf } from "./unset-default.ts";

const TIMES: readonly TypeFamily[] = ["instant", "datetime", "bigint", "integer", "compact"];
const NUMBERS: readonly TypeFamily[] = ["smallint", "integer", "bigint", "decimal"];
const TEXTS: readonly TypeFamily[] = ["text", "compact"];
const DOCUMENTS: readonly TypeFamily[] = [...TEXTS, "json", "binary", "xml"];
const NO_STATES: readonly TypeFamily[] = ["instant", "datetime", "json", "binary", "boolean", "uuid"];

const isOf =
  (families: readonly TypeFamily[]) =>
  ({ family }: Pick<CatalogColumn, "family">) =>
    families.includes(family);
const isTime = (column: CatalogColumn) => isOf(TIMES)(column) && !isDuration(column) && !isWord(column);
const isNumber = isOf(NUMBERS);
const isText = isOf([...TEXTS, "words", "smallint", "other"]);
/**
 * Set when one thing happens, and not whenever the row changes: a NOT NULL time without a default that stands for "not
 * yet" is set from the start.
 */
const isMark = (column: CatalogColumn) =>
  !isSetAtFirst(column) &&
  column.onUpdate !== true &&
  (column.family === "boolean" ||
    (isTime(column) && (column.nullable || column.family === "compact" || placeholderOf(column) !== null)));

/** `retry_after int DEFAULT 30`: a duration, such as a number of seconds; as a time it would be long past. */
const isDuration = ({ isDuration: found, family, defaultSql }: CatalogColumn) =>
  found === true || (isOf(NUMBERS)({ family }) && /^\(?'?0*[1-9]\d{0,7}'?\)?(?:::|$)/.test(defaultSql ?? ""));

/** `published char(14) DEFAULT 'NO'`: long enough for a time in digits, but a word. */
const isWord = ({ family, defaultSql }: CatalogColumn) => family === "compact" && /^\(?'[^'0-9]/.test(defaultSql ?? "");

/** `error char(1)`, or any text that begins with a no: a flag, and no text of an error. */
export const isFlagText = ({ type, defaultSql }: Pick<CatalogColumn, "type" | "defaultSql">) =>
  /\(1\)$/.test(type) || meaningOfFlag(/^\(?'([A-Za-z]+)'\)?(?:::|$)/.exec(defaultSql ?? "")?.[1] ?? "") !== undefined;

/** Whether a column's type can have the role. */
const FITS: Partial<Record<ColumnRole, (column: CatalogColumn) => boolean>> = {
  publishedAt: isMark,
  createdAt: (column) => isTime(column) && column.onUpdate !== true,
  availableAt: isTime,
  // By a new row's end in the year 9999 nobody has taken it, and a claim is read by its end.
  lockedUntil: (column) => isTime(column) && !/^(infinity|[2-9]\d{3}-)/.test(unsetDefaultOf(column) ?? ""),
  // `expired int` says whether.
  expiresAt: (column) => isTime(column) && !(isNumber(column) && /^(is_?)?(expired|lapsed|stale)$/i.test(column.name)),
  attempts: isNumber,
  // Numbered by the database as it is written; a position that comes later is the broker's.
  order: (column) => isNumber(column) && !column.nullable,
  lastError: (column) => isOf([...TEXTS, "json", "other"])(column) && !isFlagText(column),
  status: (column) => !NO_STATES.includes(column.family),
  aggregateType: isText,
  aggregateId: (column) => !isOf(["instant", "datetime", "json", "boolean"])(column),
  eventType: isText,
  topic: isText,
  // A holder that a new row has is nobody, by a name that no relay of ours knows.
  lockedBy: (column) =>
    isOf([...TEXTS, "uuid"])(column) && !/\(1\)$/.test(column.type) && !/^\(?'[^']/.test(column.defaultSql ?? ""),
  payload: isOf(DOCUMENTS),
  headers: (column) => DOCUMENTS.includes(column.family) || column.type === "hstore",
  id: (column) => !isOf(["instant", "datetime", "json", "boolean"])(column),
};

interface Match {
  role: ColumnRole;
  column: CatalogColumn;
  score: number;
}

type Roles = Partial<Record<ColumnRole, CatalogColumn>>;

/**
 * Assigns at most one column to each role and one role to each column: configured columns first, then the surest names
 * whose types fit. The only column of a primary key, or the only one that the database numbers, is the id if no name
 * says so. An integer id that the database numbers also gets the role `order` without another order column.
 */
export function assignRoles(
  table: Pick<CatalogTable, "columns" | "primaryKey" | "uniqueKeys" | "indexes" | "name" | "singleMark">,
  configured: Partial<Record<ColumnRole, string>>,
): Roles {
  const roles: Roles = {};
  const taken = new Set<string>();
  for (const [role, name] of Object.entries(configured) as [ColumnRole, string][]) {
    const column = table.columns.find((candidate) => candidate.name === name);
    if (column) roles[role] = column;
    taken.add(name);
  }
  for (const { role, column } of matchesOf(table)) {
    if (roles[role] || taken.has(column.name)) continue;
    roles[role] = column;
    taken.add(column.name);
  }
  if (!roles.publishedAt && !roles.status) {
    const waits = table.columns.find(
      (column) => !taken.has(column.name) && isWaitingFlag(column, plainName(table, column.name)),
    );
    if (waits) roles.publishedAt = waits;
  }
  if (roles.status && roles.publishedAt && configured.status === undefined && isRecordState(table, roles.status))
    delete roles.status;
  // A key that is called a sequence is both.
  if (roles.order) taken.delete(roles.order.name);
  roles.id ??= onlyKey(table, taken) ?? numberedKey(table, taken) ?? keyOfRow(table, roles);
  if (!roles.id) delete roles.id;
  if (!roles.order && roles.id && NUMBERED.includes(roles.id.family) && isNumbered(roles.id)) roles.order = roles.id;
  return roles;
}

/** Surest first; equals in the order of the columns. */
function matchesOf(
  table: Pick<CatalogTable, "columns" | "indexes" | "primaryKey" | "uniqueKeys" | "singleMark">,
): Match[] {
  const hints = indexHintsOf(table);
  const names = table.columns.map(({ name }) => wordsOf(plainName(table, name)));
  const [key, ...others] = table.primaryKey;
  const isKey = ({ name }: CatalogColumn) => name === key && others.length === 0;
  return table.columns
    .flatMap((column, place) => {
      const words = names[place] ?? [];
      const scores = scoresOf(words);
      return COLUMN_ROLES.map((role) => matchOf(role, column, { words, score: scores[role] }, hints));
    })
    .filter((match) => match !== null)
    .filter((match) => match.role !== "id" || isIdentifying(match.column, table))
    .filter((match) => match.role !== "order" || followsWriting(match.column, table))
    .map((match) => ({ ...match, score: match.score + byConstraints(match, isKey(match.column)) }))
    .filter(({ score }) => score >= LEAST_SCORE)
    .toSorted((one, other) => other.score - one.score);
}

/**
 * A number that the database gives each row as it is written, or at least one that no two rows share: `ordinal` may
 * begin anew with each transaction, and `version` with each aggregate.
 */
function followsWriting(
  column: CatalogColumn,
  { primaryKey, uniqueKeys, singleMark }: Pick<CatalogTable, "primaryKey" | "uniqueKeys" | "singleMark">,
): boolean {
  const isAlone = ([one, ...others]: readonly string[]) => one === column.name && others.length === 0;
  return isNumbered(column) || singleMark === true || [primaryKey, ...uniqueKeys].some(isAlone);
}

/** A program's own number need not follow the order of writing: blocks of a sequence, a node's part of a snowflake. */
export const isNumbered = ({ identity, defaultSql }: CatalogColumn): boolean =>
  identity || /\bnextval\(/i.test(defaultSql ?? "");

const NUMBERED: readonly TypeFamily[] = ["bigint", "integer"];

/** A code identifies a message only where it is unique: `event_code` may be the event's type. */
function isIdentifying(
  { name }: CatalogColumn,
  { primaryKey, uniqueKeys }: Pick<CatalogTable, "primaryKey" | "uniqueKeys">,
): boolean {
  const concepts = wordsOf(name).flatMap((word) => word.concepts);
  if (!concepts.includes("code") || concepts.includes("id")) return true;
  return [primaryKey, ...uniqueKeys].some(([one, ...others]) => one === name && others.length === 0);
}

/**
 * What a relay or an action has to write; a generated column says the same as those that it is computed from. A due
 * time that the database computes (`created_at + delay`) is read: nothing else says when the row may be sent.
 */
const WRITTEN: readonly ColumnRole[] = ["status", "publishedAt", "attempts", "lastError", "lockedUntil", "lockedBy"];

/** Below this a column is left out: no role is better than a wrong one. */
const LEAST_SCORE = 2.5;

/** A key identifies a row. A row has a creation time from the start; a time that may be missing is rarely it. */
function byConstraints({ role, column }: Match, isKey: boolean): number {
  if (role === "id") return isKey ? 1 : 0;
  return role === "createdAt" && column.nullable && !column.hasDefault ? -4 : 0;
}

function matchOf(
  role: ColumnRole,
  column: CatalogColumn,
  { words, score }: { words: readonly NameWord[]; score: number | undefined },
  hints: IndexHints,
): Match | null {
  if (column.generated && WRITTEN.includes(role)) return null;
  // `topics text[]` says nothing of one; a list of errors has the last.
  if (column.type.endsWith("[]") && role !== "lastError") return null;
  if (role === "status" && STATUS_TEXT.test(textOf(words))) return null;
  if (role === "attempts" && NO_COUNT.test(textOf(words))) return null;
  const hint = hintFor(role, column, hints);
  const fits = FITS[role]?.(column) ?? true;
  if (fits && score !== undefined) return { role, column, score: score + hint };
  if (fits && role === "publishedAt" && hint > 0 && !isEndName(column.name)) return { role, column, score: 6 };
  return codeMark(role, column, words, hints) ?? spokenStatus(role, column, words);
}

/**
 * `delivered_count`: of those to whom it was sent, and no attempts that failed. `retry_of`: the row that is tried
 * again, and not `no_of_retries`.
 */
const NO_COUNT =
  /\b(delivered|acked|acknowledged|confirmed)\b|(?<!\b(?:no|nb|num|nr|number|count|total|times))(?:^|\s)of\b/;

/** What a status is called in full is no status; `message_status` is one. */
const STATUS_TEXT = /^(status|state) (message|msg|text)$/;

/** How well a name fits each role; roles that it does not fit are absent. */
const scoresOf = remember(textOf, (words): Partial<Record<ColumnRole, number>> => {
  if (words.some(({ concepts }) => concepts.length === 0)) return {};
  const entries = COLUMN_ROLES.map((role) => [role, bestOf(words, ROLE_PATTERNS[role])] as const);
  return Object.fromEntries(entries.filter(([, score]) => score !== null));
});

function bestOf(words: readonly NameWord[], patterns: readonly Pattern[]): number | null {
  const scores = patterns.flatMap((pattern) => matchWords(words, pattern) ?? []);
  return scores.length === 0 ? null : Math.max(...scores);
}

/** What a partial index adds to a name. */
function hintFor(role: ColumnRole, { name, family }: CatalogColumn, { nulls, falses, words }: IndexHints): number {
  if (role === "publishedAt") return (family === "boolean" ? falses.has(name) : nulls.has(name)) ? 3 : 0;
  return role === "status" && words.has(name) ? 3 : 0;
}

/** `processed char(1)`, `sent smallint`: a published mark that is neither a time nor a boolean is a status of codes. */
function codeMark(
  role: ColumnRole,
  column: CatalogColumn,
  words: readonly NameWord[],
  hints: IndexHints,
): Match | null {
  if (role !== "status" || FITS.status?.(column) === false || isMark(column)) return null;
  if (!isFlagName(words) || !(column.hasDefault || hints.words.has(column.name))) return null;
  // `delivered_to` says where, and not whether.
  if (words.at(-1)?.concepts.includes("toward")) return null;
  return { role, column, score: 7 };
}

/** A column of an unknown name, of one word, whose default says that a new row waits: `lage DEFAULT 'PENDING'`. */
function spokenStatus(role: ColumnRole, column: CatalogColumn, words: readonly NameWord[]): Match | null {
  if (role !== "status" || words.length !== 1 || words[0]?.concepts.length !== 0) return null;
  if (!["text", "words", "compact"].includes(column.family)) return null;
  const word = /^\(?'([A-Za-z_ -]+)'\)?(?:::|$)/.exec(column.defaultSql ?? "")?.[1];
  return word !== undefined && meaningOf(word) === "pending" ? { role, column, score: 4 } : null;
}

/** `is_new` may describe the customer: a flag of the row itself is true by default. */
function isWaitingFlag({ family, generated, defaultSql }: CatalogColumn, name: string): boolean {
  if (family !== "boolean" || generated || !isWaitingName(name)) return false;
  return !/new|neu|nouveau|nuevo|novo/i.test(name) || /^\(?b?'?(true|1|t)'?\)?(?:::|$)/i.test(defaultSql ?? "");
}

function onlyKey({ primaryKey, columns }: Pick<CatalogTable, "primaryKey" | "columns">, taken: ReadonlySet<string>) {
  const [name, ...others] = primaryKey;
  if (name === undefined || others.length > 0 || taken.has(name)) return undefined;
  return columns.find((column) => column.name === name);
}

/**
 * `entity_id serial PRIMARY KEY`: what the database numbers is the row's own, whatever its name says, and of no
 * aggregate. So is a key whose name speaks of the message alone: `outbox_key uuid PRIMARY KEY`.
 */
function keyOfRow({ primaryKey, columns }: Pick<CatalogTable, "primaryKey" | "columns">, roles: Roles) {
  const [name, ...others] = primaryKey;
  const key = others.length === 0 ? columns.find((column) => column.name === name) : undefined;
  if (!key || roles.aggregateId?.name !== name || !(isNumbered(key) || isKeyOfMessage(key))) return undefined;
  delete roles.aggregateId;
  return key;
}

const isKeyOfMessage = ({ name }: CatalogColumn) => {
  const words = wordsOf(name);
  return words.some(({ concepts }) => OF_MESSAGES.some((one) => concepts.includes(one))) && !hasConcept(words, "id");
};
const OF_MESSAGES = ["outbox", "event", "message", "record"] as const;

/** `(shard, seq)`: of such a key the number alone identifies a row. */
function numberedKey(
  { primaryKey, columns }: Pick<CatalogTable, "primaryKey" | "columns">,
  taken: ReadonlySet<string>,
) {
  const numbered = columns.filter((column) => primaryKey.includes(column.name) && isNumbered(column));
  const [only, ...others] = numbered;
  return only && others.length === 0 && !taken.has(only.name) ? only : undefined;
}
