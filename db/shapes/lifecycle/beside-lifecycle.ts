import type { CatalogTable } from "../../stores/port/catalog.ts";
import type {
  ColumnRole,
  MappedColumn,
  MarkedLifecycle,
  OutboxMapping,
  StatusMark,
} from "../../stores/port/mapping.ts";
import { isWritten } from "../../stores/port/written-columns.ts";
import { labelsOf } from "../columns/code-labels.ts";
import { fewerMark } from "../columns/fewer-attempts.ts";
import { plainName } from "../columns/plain-name.ts";
import { neverDue, neverEnding, unreadBeside, unreadMarks } from "../columns/silent-times.ts";
import { unsetDefaultOf } from "../columns/unset-default.ts";
import { saysPublished } from "../open-question.ts";
import type { MappingOverrides } from "../overrides.ts";
import { isFlagName } from "../words/flag-names.ts";
import { wordsOf } from "../words/name-words.ts";
import { meaningOf, meaningOfFlag } from "../words/status-words.ts";
import { answerCodeOf } from "./answer-codes.ts";
import { beyondIndex } from "./beyond-index.ts";
import { claimMarksOf, claimOf } from "./claim-marks.ts";
import { marksOf } from "./coded-marks.ts";
import { receivedClaim } from "./counted-claims.ts";
import { leftError } from "./left-errors.ts";
import { publishedBy } from "./published-mark.ts";
import { attemptsLimitOf, failedTimesOf, markOf, type RowMark } from "./row-marks.ts";
import { doubtedMarks } from "./status-doubts.ts";
import { defaultWordOf } from "./status-lifecycle.ts";

interface Read {
  lifecycle: MarkedLifecycle;
  columns: Partial<Record<ColumnRole, MappedColumn>>;
  deadAttempts: number | null;
  overrides: Pick<MappingOverrides, "limitCounts" | "ownRelay" | "timeZone">;
  /** By names alone, and nobody has said yes to it. */
  isGuess: boolean;
}

/**
 * What columns without a role add to a lifecycle: the row's own limit of attempts, a publisher's claim, and beside a
 * status that a row was given up, has failed or was withdrawn. A row that a retry makes new has none of these, nor a
 * published time. Writes the marks into the lifecycle. `asks`: some of these are of columns whose meaning is not known.
 */
export function besideLifecycle(
  table: CatalogTable,
  read: Read,
): Pick<OutboxMapping, "attemptsLimit" | "claim" | "errorMark" | "resets"> & { asks: boolean } {
  const { lifecycle, columns, deadAttempts, overrides } = read;
  const zone = overrides.timeZone;
  if (table.singleMark) {
    const received = columns.lockedUntil ? null : receivedClaim(table, columns);
    return { asks: false, ...(received ? { claim: received } : {}) };
  }
  if (!MARKED.includes(lifecycle.kind)) return { asks: false };
  const limitCounts = deadAttempts === null || overrides.limitCounts === true;
  const limit = limitCounts ? attemptsLimitOf(table, columns, zone) : null;
  const { marks, resets, asks } = lifecycle.kind === "status" ? besideStatus(table, read) : besideMark(table, read);
  if (lifecycle.kind === "status" && marks.length > 0) lifecycle.marks = marks;
  const claim = claimOf(table, { ...columns, ...named(marks) }, zone);
  const errorMark = lifecycle.kind === "timestamp" || lifecycle.kind === "flag" ? errorOf(read) : null;
  return {
    asks,
    ...(limit ? { attemptsLimit: limit } : {}),
    ...(claim ? { claim } : {}),
    ...(errorMark ? { errorMark } : {}),
    ...(resets.length > 0 ? { resets } : {}),
  };
}

const MARKED: readonly MarkedLifecycle["kind"][] = ["status", "timestamp", "flag", "delete"];

function besideStatus(table: CatalogTable, read: Read) {
  const { lifecycle, columns, deadAttempts, overrides, isGuess } = read;
  const zone = overrides.timeZone;
  const used = { ...columns, ...("column" in lifecycle ? { status: lifecycle.column } : {}) };
  // A code of a flag, such as `sent char(1)`, says no more than a boolean: what else the row has counts as beside one.
  const isFlag = "column" in lifecycle && isFlagName(wordsOf(plainName(table, lifecycle.column.name)));
  const found = marksOf(table, used, zone);
  const marks = [
    ...found.flatMap(statusMarks(columns, isFlag)),
    ...contradicted(table, lifecycle, columns),
    ...doubtedMarks(table, lifecycle, used, { zone, isGuess, ownRelay: overrides.ownRelay === true }),
    ...fewerMark(table, columns.attempts),
    ...neverDue(table, columns),
    ...neverEnding(table, columns),
    ...(isFlag || !saysFailed(lifecycle) ? errorLeft(read) : []),
    ...(isFlag ? [...errorDoubt(read), ...answered(table, used, read)] : []),
  ];
  const held = claimMarksOf(table, { ...used, ...named(marks) }, zone);
  const failed = failedTimesOf(table, used, zone);
  const taken = [...marks.filter(({ kind }) => kind !== "doubted"), ...held, ...failed].map(({ column }) => column);
  const beyond = overrides.ownRelay ? [] : beyondIndex(table, used, { read: taken, deadAttempts, zone });
  marks.push(...beyond);
  taken.push(...beyond.map(({ column }) => column));
  const unread = isGuess ? (isFlag ? unreadMarks : unreadBeside)(table, used, taken, zone) : [];
  marks.push(...unread);
  const spoken = marks.filter(({ kind, cleared }) => kind === "dead" || (kind === "failed" && cleared !== "null"));
  const ended = [...new Map(spoken.map((mark) => [mark.column.name, mark])).values()];
  const { publishedAt } = columns;
  const sent = publishedAt?.time ? unsentTime(table, publishedAt, zone) : [];
  const reasons = found.filter(({ ofDeath }) => ofDeath);
  const resets = [...[...ended, ...reasons, ...failed, ...held].flatMap(emptied), ...sent];
  return { marks, resets, asks: unread.length > 0 };
}

/** What a new row has in the published time: null, or the placeholder of its default. */
function unsentTime(table: CatalogTable, publishedAt: MappedColumn, zone: string) {
  const column = table.columns.find(({ name }) => name === publishedAt.name);
  if (!column || (!column.nullable && unsetDefaultOf(column) === null)) return [];
  return [{ column: publishedAt, to: markOf("failed", column, zone).cleared }];
}

/** The text of an error by which an attempt has failed: nothing counts attempts, and our relay records none. */
function errorOf({ columns: { attempts, lastError }, overrides }: Read): MappedColumn | null {
  return attempts || overrides.ownRelay ? null : (lastError ?? null);
}

/** A word of the status says that an attempt has failed; where none does, the error alone says it. */
const saysFailed = (lifecycle: MarkedLifecycle) =>
  lifecycle.kind !== "status" ||
  lifecycle.failed.some((word) => lifecycle.guessed !== true || lifecycle.shown?.includes(word));

/** The same beside a status. */
function errorLeft(read: Read): StatusMark[] {
  const error = errorOf(read);
  if (read.lifecycle.kind !== "status" || error === null) return [];
  const holds = { column: error, is: "filled" } as const;
  return [{ kind: "failed", column: error, holds, cleared: "null", marked: "null", says: `${error.name} has a text` }];
}

/** The receiver's answer, or the number of an error, in a row that waits. */
function answered(table: CatalogTable, used: Read["columns"], { overrides }: Read): StatusMark[] {
  const code = overrides.ownRelay ? null : answerCodeOf(table, used, overrides.timeZone);
  if (!code || code.means === "nothing") return [];
  const { column, doubted, says, cleared } = code;
  return [{ kind: "failed", column, holds: doubted, cleared: cleared ?? "null", marked: "null", says }];
}

/** An error in a row that the code of a flag calls processed. */
function errorDoubt({ lifecycle, columns, overrides }: Read): StatusMark[] {
  const left = "column" in lifecycle ? leftError(lifecycle.column, columns, overrides.ownRelay === true) : null;
  return left ? [{ kind: "doubted", ...left, cleared: "null", marked: "null" }] : [];
}

/**
 * A new row has a word that is taken for one that waits only because a new row has it: `delivery_state DEFAULT 'NONE'`.
 */
function isBeginGuessed(table: CatalogTable, status: string): boolean {
  const first = defaultWordOf(table, status);
  const labels = labelsOf(table, status);
  return first !== undefined && !labels && meaningOf(first) === undefined && meaningOfFlag(first) === undefined;
}

/**
 * A status without a word for published may say something else of the row (`record_status` of A and D): what it calls
 * waiting, and the published mark calls published, is neither.
 */
function contradicted(table: CatalogTable, lifecycle: MarkedLifecycle, { publishedAt }: Read["columns"]): StatusMark[] {
  if (lifecycle.kind !== "status" || publishedAt === undefined) return [];
  if (saysPublished(lifecycle) && !isBeginGuessed(table, lifecycle.column.name)) return [];
  if (lifecycle.shown?.length === 0) return [];
  const isFlag = publishedAt.time === undefined;
  const read = publishedBy(table, publishedAt);
  if (!read) return [];
  const { name } = publishedAt;
  return [
    {
      kind: "withdrawn",
      column: publishedAt,
      holds: read.marked,
      cleared: isFlag ? "false" : "null",
      marked: isFlag ? "true" : "now",
      says: `${name} is ${isFlag ? "true" : "set"}`,
    },
  ];
}

/** Attempts that are counted down say that one has failed; a count of attempts says it already. */
const statusMarks =
  ({ attempts }: Read["columns"], isFlag: boolean) =>
  ({ kind, failed, counts, ...mark }: RowMark): StatusMark[] => {
    const isSaid = isFlag || counts || mark.flag || ("is" in mark.holds && mark.holds.is === "true");
    if (kind === "failed" || counts) return isSaid && kind === "failed" ? [{ kind, ...mark }] : [];
    const says = `fewer are left in ${mark.column.name} than a new row has`;
    return [
      { kind, ...mark },
      ...(failed && !attempts ? [{ ...mark, kind: "failed" as const, holds: failed, says }] : []),
    ];
  };

/** Beside a time or a flag without ends of its own: only what a retry empties. */
function besideMark(table: CatalogTable, { columns, overrides: { timeZone: zone } }: Read) {
  const emptiedMarks = [...failedTimesOf(table, columns, zone), ...claimMarksOf(table, columns, zone)];
  return { marks: [], resets: emptiedMarks.flatMap(emptied), asks: false };
}

const emptied = ({ column, cleared }: Pick<RowMark, "column" | "cleared">) =>
  isWritten(column) ? [{ column, to: cleared }] : [];

/** Columns that have been taken, as if each had a role. */
function named(marks: readonly StatusMark[]): Record<string, MappedColumn> {
  return Object.fromEntries(marks.map(({ column }) => [column.name, column]));
}
