import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn } from "../../stores/port/mapping.ts";
import { isNumber } from "../lifecycle/published-mark.ts";
import { type Columns, isNamed, markOf, type RowMark, setMark } from "../lifecycle/row-marks.ts";
import type { Doubt } from "../lifecycle/sent-again.ts";
import { defaultWordOf, shownWords } from "../lifecycle/status-lifecycle.ts";
import type { Concept } from "../words/concepts.ts";
import { wordsOf } from "../words/name-words.ts";
import { ROLE_PATTERNS } from "../words/role-patterns.ts";
import { meaningOf } from "../words/status-words.ts";
import { isMeasured } from "./measured-name.ts";
import { plainName } from "./plain-name.ts";
import { saysSendLimit } from "./send-limit.ts";
import { unreadCounts } from "./silent-counts.ts";
import { LOOKED_AT, unlikeFirst, unreadFlags } from "./silent-flags.ts";
import { unreadLimits } from "./silent-limits.ts";
import { unreadWords } from "./silent-words.ts";
import { isBareTime } from "./time-encoding.ts";
import { isHarmless, unmarkedColumns } from "./unread-columns.ts";
import { isEmptyText, placeholderOf } from "./unset-default.ts";

/**
 * Nullable times with names of unknown meaning: a row in which one is set may no longer be waiting. Whoever confirms
 * the published mark knows. `read`: columns that say something else.
 */
function unreadTimes(table: CatalogTable, columns: Columns, read: readonly MappedColumn[], zone: string): RowMark[] {
  return unmarkedColumns(table, columns, read)
    .filter((column) => maySayTime(table, column))
    .filter((column) => !isHarmless(table, column) && !isOfContent(column))
    .map((column) => setMark(column, zone))
    .map((mark) => ({ ...mark, says: `${mark.says}, until this is answered` }));
}

/**
 * A date may be of anything, unless its name says from when or until when the row may be sent, or at what something
 * happened.
 */
function maySayTime(table: CatalogTable, column: CatalogColumn): boolean {
  const { family, nullable, hasDefault, generated } = column;
  const isLimit = saysSendLimit(plainName(table, column.name));
  const isOpen = !generated && (((nullable || isLimit) && !hasDefault) || placeholderOf(column) !== null);
  if (family === "instant" || family === "datetime") return isOpen;
  if (SPAN.test(column.type)) return !generated;
  const name = plainName(table, column.name);
  const isOfSending = isLimit || isNamed(table, column, OF_SENDING);
  if (isBareTime(column) || (isOfSending && IN_FRACTIONS.test(column.type)))
    return isOpen && (HAPPENED.test(lastOf(name)) || isOfSending);
  if (family === "text") return !generated && isEmptyText(column) && (WRITTEN.test(lastOf(name)) || isOfSending);
  return isOpen && NUMBERS.includes(family) && !column.isDuration && (isLimit || isOfMoment(name));
}

/** `send_window tstzrange`: times between which a row may be sent. */
const SPAN = /^(ts|tstz|date)(multi)?range$/;

/** From when, until when and by whom it may be sent. */
const OF_SENDING = [ROLE_PATTERNS.expiresAt, ROLE_PATTERNS.availableAt, ROLE_PATTERNS.lockedUntil].flat();
const IN_FRACTIONS = /^(double|real|float|numeric|decimal)/;
const lastOf = (name: string) => wordsOf(name).at(-1)?.text ?? "";
const HAPPENED = /^(at|on|am|um|le|el|em|il|op)$/;
/** Of a time in a text, such as one of RFC 3339. */
const WRITTEN = /^(at|ts|timestamp|dttm|datetime|am|em)$/;

/** `closed_at bigint`, `close_date int`, and not `processing_time int` or `took_ms`. */
function isOfMoment(name: string): boolean {
  const words = wordsOf(name);
  return words.some(({ text }) => MOMENT.test(text)) && !isMeasured(words);
}
const MOMENT = /^(at|on|date|dt|dttm|datetime|ts|timestamp|epoch|am|le|el|em|fecha|datum|data|utc)$/;
const NUMBERS: readonly CatalogColumn["family"][] = ["integer", "bigint", "compact"];

/** A time of what the message is about, or one that is written again and again. `timestamp` alone is the event's. */
function isOfContent({ name }: Pick<CatalogColumn, "name">): boolean {
  const words = wordsOf(name);
  return (
    words.every(({ concepts }) => concepts.includes("time")) ||
    words.some(({ text, concepts }) => concepts.includes("last") || CONTENT.test(text))
  );
}
const CONTENT = /^(sla|effective|event|business|source|original)$/;

/**
 * What may say that a row no longer waits, and is not read: in such a row nothing is known until the published mark is
 * confirmed.
 */
export function unreadMarks(...asked: Parameters<typeof unreadTimes>): RowMark[] {
  return withOthers([...unreadTimes(...asked), ...unreadCodes(...asked), ...unreadLimits(...asked)], asked);
}

/** The same beside a status, whose codes say it themselves. */
export function unreadBeside(...asked: Parameters<typeof unreadTimes>): RowMark[] {
  return withOthers([...unreadTimes(...asked), ...unreadLimits(...asked)], asked);
}

/** With counts, flags and listed words, of columns that have no mark yet. */
function withOthers(marks: readonly RowMark[], asked: Parameters<typeof unreadTimes>): RowMark[] {
  const [table, columns, read, zone] = asked;
  const taken = [...read, ...marks.map(({ column }) => column)];
  return [
    ...marks,
    ...unreadCounts(table, columns, taken, zone),
    ...unreadFlags(table, columns, taken, zone),
    ...unreadWords(table, columns, taken, zone),
  ];
}

const STATES: readonly Concept[] = [
  "status",
  "sent",
  "published",
  "processed",
  "success",
  "failed",
  "dead",
  "withdrawn",
];
const NO_CODES: readonly Concept[] = ["time", "id"];

/**
 * Codes whose names speak of sending or of a state, and which have no role beside the published mark (`KZ_VERSAND` of
 * N, J and F): a row with another code than a new one has may have been given up. Whoever confirms the published mark
 * knows.
 */
function unreadCodes(table: CatalogTable, columns: Columns, read: readonly MappedColumn[], zone: string): RowMark[] {
  return unmarkedColumns(table, columns, read)
    .filter((column) => isCoded(table, column) && saysState(table, column))
    .flatMap((column) => {
      const first = defaultWordOf(table, column.name);
      return first === undefined
        ? unlikeWaiting(table, column, zone)
        : [unlikeFirst(column, first, zone, shownWords(table, column.name))];
    });
}

/** No default says what a new row has: of listed words those that do not mean that it waits. */
function unlikeWaiting(table: CatalogTable, column: CatalogColumn, zone: string): RowMark[] {
  const words = table.words[column.name] ?? [];
  const others = words.filter((word) => meaningOf(word) !== "pending");
  if (others.length === 0 || others.length === words.length) return [];
  const mark = markOf("withdrawn", column, zone);
  const says = `${column.name} is ${others.join(" or ")}, until this is answered`;
  return [{ ...mark, holds: { column: mark.column, in: others }, says }];
}

const UNTIL_ANSWERED = /, until this is answered$/;

/**
 * Beside a time of processing, and not of sending, a code of several unknown meanings may say how processing ended: of
 * a row with such a code nobody can tell.
 */
export function unreadEndings(table: CatalogTable, columns: Columns, zone: string): Doubt[] {
  const { publishedAt } = columns;
  const concepts = publishedAt ? wordsOf(plainName(table, publishedAt.name)).flatMap((word) => word.concepts) : [];
  if (!publishedAt?.time || !concepts.includes("processed")) return [];
  return unreadCodes(table, columns, [], zone)
    .filter(({ column }) => shownWords(table, column.name).length !== 2)
    .map(({ column, holds, says }) => ({ column, holds, says: says.replace(UNTIL_ANSWERED, "") }));
}

/** Of listed words, or of at most two letters or digits. */
function isCoded(table: CatalogTable, { name, family, generated }: CatalogColumn): boolean {
  if (generated) return false;
  if (family === "words" || family === "smallint" || family === "integer") return true;
  const words = shownWords(table, name);
  const isShort = words.length > 0 && words.every((word) => word.trim().length <= 2);
  const isListed = table.words[name] !== undefined;
  return (family === "text" || family === "compact") && (isShort || isListed || isNamedStatus(table, name));
}

/** `review_state text DEFAULT 'none'`, `handler_state`, and not `order_status` of the subject. */
function isNamedStatus(table: CatalogTable, name: string): boolean {
  const words = wordsOf(plainName(table, name));
  const isOfRow = ({ text, concepts }: (typeof words)[number]) => LOOKED_AT.test(text) || concepts.includes("consumer");
  return words.some(({ concepts }) => concepts.includes("status")) && words.some(isOfRow);
}

function saysState(table: CatalogTable, { name }: CatalogColumn): boolean {
  const words = wordsOf(plainName(table, name));
  const concepts = words.flatMap((word) => word.concepts);
  if (isMeasured(words)) return false;
  return concepts.some((one) => STATES.includes(one)) && !concepts.some((one) => NO_CODES.includes(one));
}

/**
 * A row that is due decades from now was given up or held back, or has been sent another way; a tried one also whose
 * time is long past.
 */
export function neverDue(table: CatalogTable, { availableAt, attempts }: Columns): RowMark[] {
  const never = table.columns.find(({ name }) => name === availableAt?.name)?.unsetAs;
  if (!availableAt || never === undefined) return [];
  const isPast = isNumber(never) || /^(-infinity|[01]\d{3}-)/.test(never) || / BC$/.test(never);
  if (isPast && !attempts) return [];
  const isNever = { column: availableAt, in: [isNumber(never) ? Number(never) : never] };
  const ofTried = isPast && attempts ? { all: [isNever, { column: attempts, atLeast: 1 }] } : null;
  return [
    {
      kind: "withdrawn",
      column: availableAt,
      holds: ofTried ?? isNever,
      cleared: "now",
      marked: "null",
      says: `${availableAt.name} is ${never}${ofTried ? " after a failed attempt" : ""}`,
    },
  ];
}

/** A claim that ends decades from now is none, or one of a person: nobody can tell. */
export function neverEnding(table: CatalogTable, { lockedUntil }: Columns): RowMark[] {
  const never = table.columns.find(({ name }) => name === lockedUntil?.name)?.unsetAs;
  if (!lockedUntil || never === undefined || !/^(infinity|[2-9]\d{3}|\d{5,})/.test(never)) return [];
  const holds = { column: lockedUntil, in: [never] };
  const says = `${lockedUntil.name} is ${never}`;
  return [{ kind: "withdrawn", column: lockedUntil, holds, cleared: "null", marked: "null", says }];
}

/** A row that was tried and has no next time, although a new row has one. */
export function leftOver({ availableAt, attempts }: Columns): RowMark[] {
  if (!availableAt?.nullIsOver || !attempts) return [];
  const isNull = { column: availableAt, is: "null" as const };
  const holds = { all: [isNull, { column: attempts, atLeast: 1 }] };
  const says = `${availableAt.name} is null after a failed attempt`;
  return [{ kind: "withdrawn", column: availableAt, holds, cleared: "now", marked: "null", says }];
}
