import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import type { FailedMarks, InboxMark } from "../../stores/port/inbox-mapping.ts";
import type { MappedColumn } from "../../stores/port/mapping.ts";
import type { Condition } from "../../stores/port/table-rules.ts";
import { isSetAtFirst, unsetDefaultOf } from "../columns/unset-default.ts";
import { type AnswerCode, answerCodeOf } from "../lifecycle/answer-codes.ts";
import { marksOf } from "../lifecycle/coded-marks.ts";
import { outcomeColumns } from "../lifecycle/outcomes.ts";
import { markedBy } from "../lifecycle/published-mark.ts";
import { type RowMark, successFlagOf, toMapped } from "../lifecycle/row-marks.ts";
import { shownWords, statusLifecycle } from "../lifecycle/status-lifecycle.ts";
import { meaningOf } from "../words/status-words.ts";
import type { InboxRole } from "./inbox-columns.ts";

type Columns = Partial<Record<InboxRole, CatalogColumn>>;

const TIMES: readonly CatalogColumn["family"][] = ["instant", "datetime"];

/**
 * A time that may be null says more than a flag, a flag more than a status, and that more than a time that every row has.
 * A status beside a time or a flag says that processing failed. No state of an inbox would be true of a row that was
 * withdrawn, or whose word is not known.
 */
export function inboxMarkOf(table: CatalogTable, columns: Columns): InboxMark {
  const { processed, processedAt } = columns;
  if (isUndecided(table, columns)) return { kind: "none" };
  const status = columns.status ?? outcomeIn(table, columns);
  if (processedAt?.unsetAs !== undefined) return { kind: "none" };
  const words = status ? wordsOfStatus(table, mapped(status)) : null;
  const beside = processed || processedAt ? besideOf(table, columns) : NOTHING;
  if (beside.marks.some(({ kind }) => kind === "withdrawn") || beside.code?.means === "nothing")
    return { kind: "none" };
  // `processed_at DEFAULT now()`: what a new row has says less than a flag or a status.
  const isOpen = processedAt?.nullable === true && !isSetAtFirst(processedAt);
  const mark = isOpen ? processedAt : processed;
  if (words && words.unknown.length > 0) return { kind: "none" };
  if (mark) return byMark(mark, words, beside);
  if (words && words.processed.length > 0)
    return { kind: "status", column: words.column, processed: words.processed, failed: words.failed };
  if (!processedAt) return { kind: "none" };
  if (processedAt.nullable) return byMark(processedAt, words, beside);
  const unset = unsetDefaultOf(processedAt);
  return unset === null ? always(mapped(processedAt), beside) : notUnset(mapped(processedAt), unset, columns, beside);
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
    shownWords(table, name).some((word) => meaningOf(word) !== undefined),
  );
}

/** What stands beside the mark: columns that say that processing was given up or failed, and the flag of its success. */
interface Beside {
  marks: readonly RowMark[];
  success: MappedColumn | null;
  /** A number by which processing ended. */
  code: AnswerCode | null;
}

const NOTHING: Beside = { marks: [], success: null, code: null };
const isNothing = ({ marks, success, code }: Beside) => marks.length === 0 && success === null && code === null;
const columnsOf = ({ marks, success, code }: Beside) => [
  ...marks.map(({ column }) => column),
  ...(success ? [success] : []),
  ...(code ? [code.column] : []),
];
/** Of a row that was processed: it ended badly. */
const endedBadly = ({ success, code }: Beside): Condition<MappedColumn>[] => [
  ...(success ? [{ column: success, is: "false" as const }] : []),
  ...(code ? [code.doubted] : []),
];

function besideOf(table: CatalogTable, columns: Columns): Beside {
  const used = Object.fromEntries(Object.entries(columns).map(([role, column]) => [role, mapped(column)]));
  return {
    marks: marksOf(table, used, "UTC"),
    success: successFlagOf(table, used, "UTC"),
    code: answerCodeOf(table, used, "UTC"),
  };
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

/** Every row has a time of processing; where other columns say that it failed, they decide. */
function always(column: MappedColumn, beside: Beside): InboxMark {
  if (isNothing(beside)) return { kind: "time", column, always: true };
  const failed: Condition<MappedColumn> = {
    any: [...beside.marks.map(({ holds }) => holds), ...endedBadly(beside)],
  };
  const processed: Condition<MappedColumn> = { all: [{ column, is: "set" }, { not: failed }] };
  return { kind: "rules", processed, failed, columns: [column, ...columnsOf(beside)] };
}

/** A new row has a value that is no time: another one is that of processing. */
function notUnset(column: MappedColumn, unset: string, { error }: Columns, beside: Beside): InboxMark {
  const processed = markedBy({ kind: "timestamp", column, unset });
  const { holds, columns } = endsOf(processed, beside);
  const filled = error ? [{ column: mapped(error), is: "filled" as const }] : [];
  return {
    kind: "rules",
    processed,
    failed: { any: [holds, ...filled] },
    columns: [column, ...columns, ...filled.map((one) => one.column)],
  };
}

/** A time of failure says nothing once the message was processed; that it was given up, or had no success, does. */
function endsOf(processed: Condition<MappedColumn>, beside: Beside): FailedMarks {
  const { marks } = beside;
  const of = (kind: RowMark["kind"]) => marks.filter((mark) => mark.kind === kind).map(({ holds }) => holds);
  const failed = of("failed").map((one) => ({ all: [{ not: processed }, one] }));
  const { success } = beside;
  const unsuccessful = success ? [{ all: [processed, { column: success, is: "false" as const }] }] : [];
  const refused = beside.code ? [beside.code.doubted] : [];
  return { holds: { any: [...of("dead"), ...failed, ...unsuccessful, ...refused] }, columns: columnsOf(beside) };
}

type StatusWords = NonNullable<ReturnType<typeof wordsOfStatus>>;

function wordsOfStatus(table: CatalogTable, column: MappedColumn) {
  const lifecycle = statusLifecycle(column, table, { columns: {}, timeZone: "UTC" });
  if (lifecycle.kind !== "status") return null;
  const known = [lifecycle.pending, lifecycle.inFlight, lifecycle.failed, lifecycle.published, lifecycle.dead].flat();
  const unknown = shownWords(table, column.name).filter((word) => !known.includes(word) && !ARRIVED.test(word));
  return { column, processed: lifecycle.published, failed: [...lifecycle.failed, ...lifecycle.dead], unknown };
}

/** A message that was received waits. */
const ARRIVED =
  /^(received|arrived|accepted|recibido|recebido|ricevuto|recu|reçu|empfangen|eingegangen|ontvangen|otrzymane)$/i;

const mapped = (column: CatalogColumn) => toMapped(column, "UTC");
