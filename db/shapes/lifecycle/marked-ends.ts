import type { CatalogTable } from "../../stores/port/catalog.ts";
import type { ColumnRole, Lifecycle, MappedColumn, MarkedLifecycle } from "../../stores/port/mapping.ts";
import {
  type ClaimRule,
  type Condition,
  columnsOfClaim,
  columnsOfCondition,
  type NewValue,
  type StateRules,
} from "../../stores/port/table-rules.ts";
import { freeValue, isWritten } from "../../stores/port/written-columns.ts";
import { fewerMark } from "../columns/fewer-attempts.ts";
import { leftOver, neverDue, neverEnding, unreadEndings, unreadMarks } from "../columns/silent-times.ts";
import type { MappingOverrides } from "../overrides.ts";
import { type AnswerCode, answerCodeOf } from "./answer-codes.ts";
import { beyondIndex } from "./beyond-index.ts";
import { claimMarksOf, claimOf, claimText } from "./claim-marks.ts";
import { marksOf } from "./coded-marks.ts";
import { denialOf } from "./denials.ts";
import { leftError } from "./left-errors.ts";
import { type FlagBeside, flagBesideTime, otherDestinations, saidElsewhere } from "./other-marks.ts";
import { type Outcome, outcomeOf } from "./outcomes.ts";
import { partlyFailed } from "./partial-failures.ts";
import {
  isNumber,
  isTurnedRound,
  markedBy,
  markedIs,
  openBy,
  openIs,
  type PublishedMark,
  withUnset,
} from "./published-mark.ts";
import { attemptsLimitOf, failedTimesOf, type RowMark, type RowMarkKind } from "./row-marks.ts";
import { changedSince, type Doubt, sentAgain } from "./sent-again.ts";
import { type SuccessFlag, successFlagOf } from "./success-flag.ts";

type Rules = Extract<Lifecycle, { kind: "rules" }>;
type Mark = PublishedMark;
type Columns = Partial<Record<ColumnRole, MappedColumn>>;

interface Read {
  lifecycle: MarkedLifecycle;
  columns: Columns;
  deadAttempts: number | null;
  overrides: MappingOverrides;
  /** Read from names alone, and not confirmed by anybody. */
  isGuess: boolean;
}

/** What stands beside a published time or flag and speaks of the same row. */
interface Beside {
  marks: RowMark[];
  /** False: the attempt that set the published mark has failed. */
  success: SuccessFlag | null;
  /** Beside a mark of processing: nobody can tell whether the row was sent. */
  error: Doubt | null;
  /** Published times of other destinations. */
  others: readonly MappedColumn[];
  flag: FlagBeside | null;
  outcome: Outcome | null;
  /** A number by which the last attempt ended. */
  code: (AnswerCode & { denies: boolean }) | null;
  /** What was published is to be sent again. */
  again: Doubt[];
  /** The row's own greatest number of attempts. */
  limit: MappedColumn | null;
  claim: ClaimRule<MappedColumn> | null;
  /** What a retry empties besides. */
  held: readonly RowMark[];
}

/**
 * The states of a table whose published mark is a time or a flag, and that has other marks beside it (`dead`, `failed`,
 * `cancelled_at`, `success`): by the published mark alone a row that was given up would count as waiting, or one that
 * failed as published. A withdrawn row is in state unknown. Null without such a mark, where a status says everything,
 * or where the configuration has a lifecycle.
 */
export function rulesOfEnds(
  table: CatalogTable,
  { lifecycle: read, columns, deadAttempts, overrides, isGuess }: Read,
): Rules | null {
  if (overrides.lifecycle || (read.kind !== "timestamp" && read.kind !== "flag")) return null;
  if (table.singleMark) return null;
  const lifecycle = withUnset(read, table);
  const beside = besideOf(table, lifecycle, columns, overrides);
  beside.marks.push(...fewerMark(table, columns.attempts), ...neverDue(table, columns), ...neverEnding(table, columns));
  if (deadAttempts !== null && overrides.limitCounts !== true) beside.limit = null;
  const zone = overrides.timeZone;
  if (!overrides.ownRelay)
    beside.marks.push(...beyondIndex(table, columns, { read: readBy(beside), deadAttempts, zone }));
  if (isGuess) {
    beside.marks.push(...outcomeOfTried(table, beside));
    beside.marks.push(...unreadMarks(table, columns, readBy(beside), zone));
    beside.again.push(...unreadEndings(table, columns, zone));
  }
  const { marks, success, error, others, flag, outcome, code, again } = beside;
  const isPlain =
    [marks, others, again].every((one) => one.length === 0) && !success && !error && !flag && !outcome && !code;
  if (isPlain && !isTurnedRound(lifecycle) && lifecycle.unset === undefined) return null;
  beside.marks.push(...leftOver(columns));
  const states = statesOf(lifecycle, beside, columns, deadAttempts);
  const dead = marks.filter(({ kind, column }) => kind === "dead" && isWritten(column));
  const reset = [
    ...(success
      ? [
          { column: lifecycle.column, to: emptyOf(lifecycle) },
          { column: success.column, to: emptyFlag(success) },
          ...(flag ? [{ column: flag.column, to: flag.sent === "true" ? ("false" as const) : ("true" as const) }] : []),
        ]
      : []),
    ...[...marks.filter(({ kind, ofDeath }) => kind !== "withdrawn" || (ofDeath && states.dead)), ...beside.held].map(
      ({ column, cleared }) => ({
        column,
        to: cleared,
      }),
    ),
    ...failedBy(code).flatMap(({ column, cleared }) => (cleared === null ? [] : [{ column, to: cleared }])),
    ...newAgain(columns),
  ];
  // What the database computes follows from the columns that are reset.
  const renewed = reset.filter(({ column }) => isWritten(column));
  const { claim, countsTries: _, ...conditions } = states;
  const used = [
    ...Object.values(conditions).flatMap((one) => columnsOfCondition(one)),
    ...(claim ? columnsOfClaim(claim) : []),
  ];
  return {
    kind: "rules",
    owner: "the team's own relay",
    reading: readingOf(lifecycle, beside),
    shown: null,
    states,
    verbs: {
      retry: { set: renewed, does: madeNew(renewed.map(({ column }) => column.name)) },
      "dead-letter":
        dead.length > 0
          ? {
              set: dead.map(({ column, marked }) => ({ column, to: marked })),
              does: `Marked dead in its own table: ${listed(dead.map(({ column }) => column.name))} set.`,
            }
          : { moveOut: true, does: "Moved to the dead letters, where the table's relay does not see it." },
    },
    columns: [...new Map([...used, ...renewed.map(({ column }) => column)].map((one) => [one.name, one])).values()],
  };
}

/** A word of `result` in a row without the published mark: of an attempt that may have been the last. */
function outcomeOfTried(table: CatalogTable, { outcome, marks }: Beside): RowMark[] {
  if (!outcome) return [];
  const { column, doubted: holds, says } = outcome;
  const found = table.columns.find(({ name }) => name === column.name);
  if (!found?.nullable || found.hasDefault || marks.some((mark) => mark.column.name === column.name)) return [];
  return [
    { kind: "withdrawn", column, holds, cleared: "null", marked: "null", says: `${says}, until this is answered` },
  ];
}

function besideOf(table: CatalogTable, lifecycle: Mark, columns: Columns, overrides: MappingOverrides): Beside {
  const { timeZone: zone, ownRelay = false } = overrides;
  const success = successFlagOf(table, columns, zone);
  const marks = marksOf(table, columns, zone);
  const used = { ...columns, ...Object.fromEntries(marks.map(({ column }) => [column.name, column])) };
  const isShown = success !== null || marks.some(({ failed }) => failed);
  const isTold = isShown || columns.attempts !== undefined;
  const code = answerCodeOf(table, columns, zone);
  return {
    marks,
    success,
    error: isShown ? null : leftError(lifecycle.column, columns, ownRelay),
    others: otherDestinations(table, columns, zone),
    flag: flagBesideTime(table, columns, zone),
    outcome: outcomeOf(table, columns, zone),
    // Of an error that was counted, the published mark is the later word.
    again: [sentAgain, changedSince, partlyFailed, saidElsewhere].flatMap((doubts) => doubts(table, columns, zone)),
    code: code && { ...code, denies: code.means !== "error" || !isTold },
    limit: attemptsLimitOf(table, columns, zone),
    claim: claimOf(table, used, zone),
    held: [...failedTimesOf(table, used, zone), ...claimMarksOf(table, used, zone)],
  };
}

const failedBy = (code: Beside["code"]) => (code && code.means !== "nothing" ? [code] : []);
const deniedBy = (outcome: Beside["outcome"], code: Beside["code"]) => [
  ...(outcome ? [outcome] : []),
  ...(code?.denies ? [code] : []),
];

const readBy = ({ marks, others, code, claim, held, flag }: Beside) => [
  ...[code, flag].flatMap((one) => (one ? [one.column] : [])),
  ...[...marks, ...held].map(({ column }) => column),
  ...others,
  ...(claim ? columnsOfClaim(claim) : []),
];

function statesOf(
  mark: Mark,
  { marks, success, error, others, flag, claim, outcome, code, limit, again }: Beside,
  columns: Columns,
  deadAttempts: number | null,
): StateRules<MappedColumn> {
  const isMarked = markedBy(mark);
  // A flag that is null says neither.
  const open = openBy(mark);
  const isSet = mark.kind === "flag" ? ("true" as const) : ("set" as const);
  const marked = (kind: RowMarkKind) => marks.filter((mark) => mark.kind === kind).map(({ holds }) => holds);
  const { attempts, lastError, lockedUntil } = columns;
  const spent = attempts && deadAttempts !== null ? [{ column: attempts, atLeast: deadAttempts }] : [];
  const reached = attempts && limit ? [{ column: attempts, atLimit: limit }] : [];
  const over = [...marked("dead"), ...spent, ...reached];
  const unsuccessful = success ? [{ column: success.column, is: "false" as const }] : [];
  const failing = [
    ...marked("failed"),
    ...marks.flatMap(({ failed }) => failed ?? []),
    ...(success?.isFalseAtFirst ? [] : unsuccessful),
    ...failedBy(code).map(({ doubted }) => doubted),
    ...(lastError ? [{ column: lastError, is: "filled" as const }] : []),
  ];
  // A flag of failure beside a row that was sent: one of the two is out of date.
  const denied = marks.flatMap((one) => denialOf(one, mark)?.holds ?? []);
  const doubts = [
    ...unsuccessful,
    ...denied,
    ...again.map(({ holds }) => holds),
    ...deniedBy(outcome, code).map(({ doubted }) => doubted),
    ...(error ? [error.holds] : []),
  ];
  const given = [
    ...(over.length > 0 ? [{ all: [open, { any: over }] }] : []),
    ...(success ? [{ all: [isMarked, ...unsuccessful] }] : []),
  ];
  return {
    waiting: {
      all: [
        open,
        ...others.map((other) => ({ not: { column: other, is: isSet } })),
        ...(flag ? [{ not: { column: flag.column, is: flag.sent } }] : []),
        ...[...over, ...marked("withdrawn")].map((not) => ({ not })),
      ],
    },
    published: onlyOrAll([
      isMarked,
      ...others.map((other) => ({ column: other, is: isSet })),
      ...(flag ? [{ column: flag.column, is: flag.sent }] : []),
      ...doubts.map((not) => ({ not })),
    ]),
    ...(given.length > 0 ? { dead: given.length === 1 && given[0] ? given[0] : { any: given } } : {}),
    ...(failing.length > 0 ? { failed: { any: failing } } : {}),
    ...(lockedUntil ? { claim: { marked: { column: lockedUntil, is: "set" }, ends: { column: lockedUntil } } } : {}),
    ...(claim ? { claim } : {}),
  };
}

function onlyOrAll(conditions: readonly Condition<MappedColumn>[]): Condition<MappedColumn> {
  const [only] = conditions;
  return conditions.length === 1 && only ? only : { all: conditions };
}

const emptyFlag = ({ isFalseAtFirst }: SuccessFlag): NewValue => (isFalseAtFirst ? "false" : "null");
function emptyOf(mark: Mark): NewValue {
  if (mark.unset === undefined) return openIs(mark);
  return isNumber(mark.unset) ? { number: Number(mark.unset) } : { word: mark.unset };
}

/** A count of attempts is 0 in a new row, and what may be null is null. */
function newAgain({ attempts, lastError, availableAt, lockedUntil, lockedBy }: Columns) {
  const due = isWritten(availableAt) ? [{ column: availableAt, to: dueNow(availableAt) }] : [];
  const nulls = [lastError, lockedBy].filter((column) => column?.nullable || column?.emptyAtFirst);
  const free = lockedUntil ? freeValue(lockedUntil) : null;
  return [
    ...(attempts ? [{ column: attempts, to: { number: 0 } }] : []),
    ...due,
    ...(lockedUntil && free !== null ? [{ column: lockedUntil, to: free }] : []),
    ...nulls.flatMap((column) => (column ? [{ column, to: emptyText(column) }] : [])),
  ];
}

const emptyText = ({ emptyAtFirst }: MappedColumn): NewValue => (emptyAtFirst ? { word: "" } : "null");
const dueNow = ({ nullIsDue }: MappedColumn): NewValue => (nullIsDue ? "null" : "now");

const MEANING: Readonly<Record<RowMarkKind, string>> = {
  dead: "dead",
  failed: "failed",
  withdrawn: "of an unknown state",
};

function readingOf(
  mark: Mark,
  { marks, success, error, others, flag, claim, outcome, code, limit, again }: Beside,
): string {
  const when = `when ${mark.column.name} is ${mark.unset === undefined ? markedIs(mark) : `not ${mark.unset}, which a new row has`}`;
  const alsoSet = `${others.map(({ name }) => ` and ${name}`).join("")}${flag ? ` and ${flag.column.name} is ${flag.sent}` : ""}`;
  const unless = [
    ...(success ? [`dead if ${success.column.name} is false then`] : []),
    ...(error ? [`of an unknown state if ${error.says} then`] : []),
    ...[...deniedBy(outcome, code), ...again].map(({ says }) => `of an unknown state if ${says} then`),
    ...marks.flatMap((one) => denialOf(one, mark) ?? []).map(({ says }) => `of an unknown state if ${says} then`),
  ];
  const reached = limit ? [`dead after as many attempts as ${limit.name} says`] : [];
  const failed = failedBy(code).map(({ says }) => `failed when ${says}`);
  const ends = [...marks.map(({ kind, says }) => `${MEANING[kind]} when ${says}`), ...failed, ...reached];
  const partly = others.length > 0 ? ["of an unknown state when only some of these are set"] : [];
  const apart = flag
    ? [`of an unknown state when only one of ${mark.column.name} and ${flag.column.name} says so`]
    : [];
  const rest = [...ends, ...partly, ...apart];
  const sentence = `Published ${when}${alsoSet}${unless.map((one) => `, ${one}`).join("")}`;
  return `${rest.length > 0 ? `${sentence}; otherwise ${rest.join(", ")}` : sentence}.${claimText(claim)}`;
}

const madeNew = (names: readonly string[]) =>
  names.length > 0 ? `Made new again: ${listed(names)} reset.` : "Made new again.";
const listed = (names: readonly string[]) => names.join(", ");
