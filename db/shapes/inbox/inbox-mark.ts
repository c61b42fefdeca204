import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import type { FailedMarks, InboxMapping, InboxMark } from "../../stores/port/inbox-mapping.ts";
import type { MappedColumn } from "../../stores/port/mapping.ts";
import { type Condition, columnsOfCondition } from "../../stores/port/table-rules.ts";
import { assignRoles } from "../columns/assign-roles.ts";
import { isCode } from "../columns/code-labels.ts";
import { plainName } from "../columns/plain-name.ts";
import { isSetAtFirst, placeholderOf } from "../columns/unset-default.ts";
import { type AnswerCode, answerCodeOf } from "../lifecycle/answer-codes.ts";
import { marksOf } from "../lifecycle/coded-marks.ts";
import { outcomeColumns, saysWithdrawn } from "../lifecycle/outcomes.ts";
import { partlyFailed } from "../lifecycle/partial-failures.ts";
import { markedBy } from "../lifecycle/published-mark.ts";
import { kindOf, type RowMark, toMapped } from "../lifecycle/row-marks.ts";
import { type Doubt, sentAgain } from "../lifecycle/sent-again.ts";
import { shownWords } from "../lifecycle/status-lifecycle.ts";
import { withoutSuccess } from "../lifecycle/success-flag.ts";
import { isFlagName } from "../words/flag-names.ts";
import { wordsOf } from "../words/name-words.ts";
import { meaningOf } from "../words/status-words.ts";
import { hasUnreadTime, type InboxRole } from "./inbox-columns.ts";
import { type InboxWords, type StatusWords, wordsOfStatus } from "./words-of-status.ts";

type Columns = Partial<Record<InboxRole, CatalogColumn>>;

const TIMES: readonly CatalogColumn["family"][] = ["instant", "datetime"];

/**
 * A time that may be null says more than a flag, a flag more than a status, and that more than a time that every row
 * has. A status beside a time or a flag says that processing failed. Of a row that was withdrawn, or whose word is not
 * known, no state is told.
 */
export function inboxMarkOf(
  table: CatalogTable,
  columns: Columns,
  answered: InboxWords = {},
): Pick<InboxMapping, "mark" | "untold"> & { open: OpenWords | null } {
  if (isUndecided(table, columns)) return { mark: { kind: "none" }, open: null };
  const status = columns.status ?? outcomeIn(table, columns);
  const words = status ? wordsOfStatus(table, mapped(status), answered) : null;
  const beside = columns.processed || columns.processedAt || isFlag(table, status) ? besideOf(table, columns) : NOTHING;
  const told = beside.marks.filter(({ kind }) => kind !== "withdrawn");
  const asked = words?.isAnswered ? null : flagOfThree(columns, answered);
  const found = asked ? { kind: "none" as const } : markOf(table, columns, words, { ...beside, marks: told });
  const mark = withAnswered(found, columns, answered);
  const untold =
    mark.kind === "none" ? leftInAny(table, columns) : untoldBy(words, beside, deniedBy(table, columns, mark, words));
  const open = words?.unknown.filter((word) => !saysWithdrawn(word)) ?? [];
  return {
    mark,
    ...(untold ? { untold } : {}),
    open: asked ?? (words && open.length > 0 ? { column: words.column.name, words: open } : null),
  };
}

/** Words whose meaning nobody has said. */
export interface OpenWords {
  column: string;
  words: readonly string[];
}

/**
 * What other columns say against a status, which is read alone, and of a processed row that it is to be processed
 * again: of such a row nothing is told.
 */
function deniedBy(table: CatalogTable, columns: Columns, mark: InboxMark, words: StatusWords | null): Doubt[] {
  const processedAt = columns.processedAt ? { publishedAt: mapped(columns.processedAt) } : {};
  const used = { ...rolesOf(columns), ...processedAt };
  const again = [sentAgain, partlyFailed].flatMap((doubts) => doubts(table, used, "UTC"));
  if (mark.kind === "flag" || mark.kind === "time") {
    const processed: Condition<MappedColumn> = { column: mark.column, is: mark.kind === "flag" ? "true" : "set" };
    const left = mark.kind === "flag" || !mark.always ? errorLeft(table, columns, words) : [];
    return [...again, ...left].map((one) => ({ ...one, holds: { all: [processed, one.holds] } }));
  }
  if (mark.kind === "rules") {
    const told = words && isFlag(table, words.column) ? null : words;
    const doubts = [...again, ...errorLeft(table, columns, told)];
    return doubts.map((one) => ({ ...one, holds: { all: [mark.processed, one.holds] } }));
  }
  if (mark.kind !== "status") return [];
  const { column, processed, failed } = mark;
  const { marks, success } = besideOf(table, columns);
  const done: Condition<MappedColumn> = { column, in: processed };
  const open: Condition<MappedColumn> = { not: { column, in: [...processed, ...failed] } };
  const ended = marks.filter(({ kind, counts }) => kind !== "failed" && !counts);
  const failing = success ? [{ ...success, says: "" }] : [];
  return [
    ...[...again, ...failing].map((one) => ({ ...one, holds: { all: [done, one.holds] } })),
    ...ended.map(({ column: of, holds, says }) => ({ column: of, holds: { all: [open, holds] }, says })),
  ];
}

/**
 * Whether a time of processing or an error beside it is the later one says a status, or a count of attempts that failed
 * before.
 */
function errorLeft(table: CatalogTable, { error }: Columns, words: StatusWords | null): Doubt[] {
  if (!error) return [];
  const { attempts } = assignRoles(table, {});
  const counted = attempts ? [{ not: { column: mapped(attempts), atLeast: 1 } }] : [];
  const column = mapped(error);
  const filled: Condition<MappedColumn> = { column, is: "filled" };
  const told = words && words.processed.length > 0 ? [{ not: { column: words.column, in: words.processed } }] : [];
  return [{ column, holds: { all: [filled, ...counted, ...told] }, says: "" }];
}

/** Where a time of processing is not read, nobody knows whether a row with an error was processed later. */
function leftInAny(table: CatalogTable, columns: Columns): FailedMarks | null {
  const isUnread = columns.processedAt !== undefined || hasUnreadTime(table, columns);
  if (!columns.error || !isUnread) return null;
  const column = mapped(columns.error);
  return { holds: { column, is: "filled" }, columns: [column] };
}

const rolesOf = (columns: Columns) =>
  Object.fromEntries(Object.entries(columns).map(([role, column]) => [role, mapped(column)]));

/** Rows that were withdrawn, or have a word that says so; null without such. */
function untoldBy(words: StatusWords | null, { marks }: Beside, denied: readonly Doubt[]): FailedMarks | null {
  const withdrawn = marks.filter(({ kind }) => kind === "withdrawn");
  const strange: Condition<MappedColumn>[] =
    words && words.unknown.length > 0
      ? [{ all: [{ column: words.column, is: "set" }, { not: { column: words.column, in: words.known } }] }]
      : [];
  if (withdrawn.length + strange.length + denied.length === 0) return null;
  const named = [...withdrawn.map(({ column }) => column), ...denied.flatMap(({ holds }) => columnsOfCondition(holds))];
  return {
    holds: { any: [...[...withdrawn, ...denied].map(({ holds }) => holds), ...strange] },
    columns: [
      ...new Map(named.map((column) => [column.name, column])).values(),
      ...(words && strange.length > 0 ? [words.column] : []),
    ],
  };
}

function markOf(table: CatalogTable, columns: Columns, words: StatusWords | null, beside: Beside): InboxMark {
  const { processed, processedAt } = columns;
  if ((processedAt?.nullable && processedAt.unsetAs !== undefined) || beside.code?.means === "nothing")
    return { kind: "none" };
  // `processed_at DEFAULT now()`: what a new row has says less than a flag or a status.
  const isOpen = processedAt?.nullable === true && !isSetAtFirst(processedAt);
  const mark = isOpen ? processedAt : processed;
  if (words?.isAnswered)
    return { kind: "status", column: words.column, processed: words.processed, failed: words.failed };
  // Beside other words that nobody knows, those that look known may be of something else: `PAID`, `DELIVERED`,
  // `FAILED`.
  if (words?.unknown.some((word) => !saysWithdrawn(word) && !(mark && isCode(word)))) return { kind: "none" };
  if (mark) return byMark(mark, words, beside);
  if (words && words.processed.length > 0) {
    const isAlone = !isFlag(table, words.column) || (isNothing(beside) && !columns.error);
    const { column, processed: done, failed } = words;
    return isAlone ? { kind: "status", column, processed: done, failed } : byCode(words, columns, beside);
  }
  if (!processedAt) return { kind: "none" };
  if (processedAt.nullable) return byMark(processedAt, words, beside);
  const unset = placeholderOf(processedAt);
  if (unset === null && hasUnreadTime(table, columns)) return { kind: "none" };
  return unset === null ? always(mapped(processedAt), beside) : notUnset(mapped(processedAt), unset, columns, beside);
}

/**
 * Of a flag that is null in some rows and false in others, false: it may say that processing failed, where no error
 * does.
 */
function flagOfThree(columns: Columns, { waiting = [], failed = [] }: InboxWords): OpenWords | null {
  const { processed, processedAt, error } = columns;
  if (processed?.unsetAs === undefined || error || processedAt?.nullable) return null;
  const words = processed.unsetAs.split(" and ").filter((word) => word !== "null");
  const open = words.filter((word) => !waiting.includes(word) && !failed.includes(word));
  return open.length > 0 ? { column: processed.name, words: open } : null;
}

/** With what the configuration says of false. */
function withAnswered(mark: InboxMark, { processed, status }: Columns, { failed = [] }: InboxWords): InboxMark {
  if (mark.kind !== "flag" || processed?.unsetAs === undefined || status || failed.length === 0) return mark;
  return { ...mark, failed: { column: mark.column, words: [...failed] } };
}

/** A word decides, or a number or text for a time, and its values could not be looked at. */
function isUndecided(table: CatalogTable, columns: Columns): boolean {
  const { unlooked = [] } = table;
  if (unlooked.length === 0) return false;
  const { status, processedAt } = columns;
  const words = status ? [status] : outcomeColumns(table, columns);
  const number = processedAt && !TIMES.includes(processedAt.family) ? [processedAt] : [];
  return [...words, ...number].some(({ name }) => unlooked.includes(name));
}

/** A word that says how processing ended, where one that is shown means anything. */
function outcomeIn(table: CatalogTable, columns: Columns): CatalogColumn | undefined {
  return outcomeColumns(table, columns).find(({ name }) =>
    shownWords(table, name).some((word) => meaningOf(word) !== undefined || saysWithdrawn(word)),
  );
}

/**
 * What stands beside the mark: columns that say that processing was given up or failed, and the flag of its success.
 */
interface Beside {
  marks: readonly RowMark[];
  success: ReturnType<typeof withoutSuccess>;
  /** A number by which processing ended. */
  code: AnswerCode | null;
}

const NOTHING: Beside = { marks: [], success: null, code: null };
const isNothing = ({ marks, success, code }: Beside) => marks.length === 0 && success === null && code === null;
const columnsOf = ({ marks, success, code }: Beside) => [
  ...marks.map(({ column }) => column),
  ...(success ? [success.column] : []),
  ...(code ? [code.column] : []),
];
/** Of a row that was processed: it ended badly. */
const endedBadly = ({ success, code }: Beside): Condition<MappedColumn>[] => [
  ...(success ? [success.holds] : []),
  ...(code ? [code.doubted] : []),
];

function besideOf(table: CatalogTable, columns: Columns): Beside {
  const used = rolesOf(columns);
  return {
    marks: marksOf(table, used, "UTC").map((mark) => readOnly(table, mark)),
    success: withoutSuccess(table, used, "UTC"),
    code: answerCodeOf(table, used, "UTC"),
  };
}

/** A flag of letters of which the table shows one is not written, and an inbox is only read. */
function readOnly(table: CatalogTable, mark: RowMark): RowMark {
  const column = table.columns.find(({ name }) => name === mark.column.name);
  const kind = mark.flag && column ? kindOf(table, column) : null;
  return kind === null ? mark : { ...mark, kind };
}

function byMark(mark: CatalogColumn, words: StatusWords | null, beside: Beside): InboxMark {
  const column = mapped(mark);
  const said = {
    ...(words && words.failed.length > 0 ? { failed: { column: words.column, words: words.failed } } : {}),
    ...(isNothing(beside) ? {} : { ends: endsOf({ column, is: mark.family === "boolean" ? "true" : "set" }, beside) }),
  };
  if (mark.family === "boolean") return { kind: "flag", column, ...said };
  return { kind: "time", column, always: false, ...said };
}

const isFlag = (table: CatalogTable, column: { name: string } | undefined) =>
  column !== undefined && isFlagName(wordsOf(plainName(table, column.name)));

/** The code of a flag says no more than a boolean: what stands beside it says that processing failed. */
function byCode({ column, processed: done, failed }: StatusWords, { error }: Columns, beside: Beside): InboxMark {
  const processed = { column, in: done };
  const ends = endsOf(processed, beside);
  const filled = errorBefore(processed, error);
  const words = failed.length > 0 ? [{ column, in: failed }] : [];
  return {
    kind: "rules",
    processed,
    failed: { any: [...words, ends.holds, ...filled] },
    columns: [column, ...ends.columns, ...(error ? [mapped(error)] : [])],
  };
}

/** Every row has a time of processing; where other columns say that it failed, they decide. */
function always(column: MappedColumn, beside: Beside): InboxMark {
  if (isNothing(beside)) return { kind: "time", column, always: true };
  const failed: Condition<MappedColumn> = {
    any: [...beside.marks.map(({ holds }) => holds), ...endedBadly(beside)],
  };
  const processed: Condition<MappedColumn> = { all: [{ column, is: "set" }, { not: failed }] };
  return { kind: "rules", processed, failed, columns: [column, ...columnsOf(beside)] };
}

/** An error says that processing failed, unless it succeeded later. */
function errorBefore(processed: Condition<MappedColumn>, error: CatalogColumn | undefined): Condition<MappedColumn>[] {
  return error ? [{ all: [{ column: mapped(error), is: "filled" }, { not: processed }] }] : [];
}

/** A new row has a value that is no time: another one is that of processing. */
function notUnset(column: MappedColumn, unset: string, { error }: Columns, beside: Beside): InboxMark {
  const processed = markedBy({ kind: "timestamp", column, unset });
  const { holds, columns } = endsOf(processed, beside);
  const filled = errorBefore(processed, error);
  return {
    kind: "rules",
    processed,
    failed: { any: [holds, ...filled] },
    columns: [column, ...columns, ...(error ? [mapped(error)] : [])],
  };
}

/** A time of failure says nothing once the message was processed; that it was given up, or had no success, does. */
function endsOf(processed: Condition<MappedColumn>, beside: Beside): FailedMarks {
  const { marks } = beside;
  const of = (kind: RowMark["kind"]) => marks.filter((mark) => mark.kind === kind).map(({ holds }) => holds);
  const failed = of("failed").map((one) => ({ all: [{ not: processed }, one] }));
  const { success } = beside;
  const unsuccessful = success ? [{ all: [processed, success.holds] }] : [];
  const refused = beside.code ? [beside.code.doubted] : [];
  return { holds: { any: [...of("dead"), ...failed, ...unsuccessful, ...refused] }, columns: columnsOf(beside) };
}

const mapped = (column: CatalogColumn) => toMapped(column, "UTC");
