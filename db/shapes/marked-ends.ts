import type { CatalogColumn, CatalogTable } from "../stores/port/catalog.ts";
import type { ColumnRole, Lifecycle, MappedColumn, MarkedLifecycle } from "../stores/port/mapping.ts";
import { type Condition, columnsOfCondition, type NewValue, type StateRules } from "../stores/port/table-rules.ts";
import type { MappingOverrides } from "./overrides.ts";
import { timeEncodingOf } from "./time-encoding.ts";
import { matchWords } from "./words/match-words.ts";
import { wordsOf } from "./words/name-words.ts";
import { patterns } from "./words/role-patterns.ts";

/** What a mark beside the published one says: given up, failed once, or that a person or a program withdrew the row. */
type EndKind = "dead" | "failed" | "withdrawn";

interface End {
  kind: EndKind;
  column: MappedColumn;
  isFlag: boolean;
}

type Rules = Extract<Lifecycle, { kind: "rules" }>;
type Mark = Extract<MarkedLifecycle, { kind: "timestamp" | "flag" }>;
type Columns = Partial<Record<ColumnRole, MappedColumn>>;

interface Read {
  lifecycle: MarkedLifecycle;
  columns: Columns;
  deadAttempts: number | null;
  overrides: MappingOverrides;
}

const END_PATTERNS: Readonly<Record<EndKind, ReturnType<typeof patterns>>> = {
  dead: patterns("10 dead | letter time flag", "9 failed dead | time flag"),
  failed: patterns("10 failed | last time flag send attempt", "9 error | last time flag"),
  withdrawn: patterns("10 withdrawn | time flag"),
};

/**
 * The states of a table whose published mark is a time or a flag, and that has other marks beside it (`dead`, `failed`,
 * `cancelled_at`): by the published mark alone a row that was given up would count as waiting. A withdrawn row is in
 * state unknown. Null without such a mark, where a status says everything, or where the configuration has a lifecycle.
 */
export function rulesOfEnds(table: CatalogTable, { lifecycle, columns, deadAttempts, overrides }: Read): Rules | null {
  if (overrides.lifecycle || (lifecycle.kind !== "timestamp" && lifecycle.kind !== "flag")) return null;
  if (table.singleMark) return null;
  const ends = endsOf(table, columns, overrides.timeZone);
  if (ends.length === 0) return null;
  const states = statesOf(lifecycle, ends, columns, deadAttempts);
  const retried = ends
    .filter(({ kind }) => kind !== "withdrawn")
    .map((end) => ({ column: end.column, to: cleared(end) }));
  const dead = ends.filter(({ kind }) => kind === "dead");
  const used = [states.published, states.waiting, states.failed].flatMap((one) => (one ? columnsOfCondition(one) : []));
  const renewed = [...retried, ...newAgain(columns)];
  return {
    kind: "rules",
    owner: "the team's own relay",
    reading: readingOf(lifecycle, ends),
    shown: null,
    states,
    verbs: {
      retry: { set: renewed, does: `Made new again: ${listed(renewed.map(({ column }) => column.name))} reset.` },
      "dead-letter":
        dead.length > 0
          ? {
              set: dead.map(({ column, isFlag }) => ({ column, to: isFlag ? "true" : "now" })),
              does: `Marked dead in its own table: ${listed(dead.map(({ column }) => column.name))} set.`,
            }
          : { moveOut: true, does: "Moved to the dead letters, where the table's relay does not see it." },
    },
    columns: [...new Map([...used, ...renewed.map(({ column }) => column)].map((one) => [one.name, one])).values()],
  };
}

function statesOf(
  { column, kind }: Mark,
  ends: readonly End[],
  columns: Columns,
  deadAttempts: number | null,
): StateRules<MappedColumn> {
  const published: Condition<MappedColumn> = { column, is: kind === "flag" ? "true" : "set" };
  // A flag that is null says neither.
  const open: Condition<MappedColumn> = { column, is: kind === "flag" ? "false" : "null" };
  const marked = (kind: EndKind) => ends.filter((end) => end.kind === kind).map(isMarked);
  const { attempts, lastError, lockedUntil } = columns;
  const spent = attempts && deadAttempts !== null ? [{ column: attempts, atLeast: deadAttempts }] : [];
  const over = [...marked("dead"), ...spent];
  const failing = [...marked("failed"), ...(lastError ? [{ column: lastError, is: "filled" as const }] : [])];
  return {
    waiting: { all: [open, ...[...over, ...marked("withdrawn")].map((not) => ({ not }))] },
    published,
    ...(over.length > 0 ? { dead: { all: [open, { any: over }] } } : {}),
    ...(failing.length > 0 ? { failed: { any: failing } } : {}),
    ...(lockedUntil ? { claim: { marked: { column: lockedUntil, is: "set" }, ends: { column: lockedUntil } } } : {}),
  };
}

const isMarked = ({ column, isFlag }: End): Condition<MappedColumn> => ({ column, is: isFlag ? "true" : "set" });
const cleared = ({ isFlag }: End): NewValue => (isFlag ? "false" : "null");

/** A count of attempts is 0 in a new row, and what may be null is null. */
function newAgain({ attempts, lastError, availableAt, lockedUntil, lockedBy }: Columns) {
  const due = availableAt && attempts ? [{ column: availableAt, to: dueNow(availableAt) }] : [];
  const nulls = [lastError, lockedUntil, lockedBy].filter((column) => column?.nullable === true);
  return [
    ...(attempts ? [{ column: attempts, to: { number: 0 } }] : []),
    ...due,
    ...nulls.flatMap((column) => (column ? [{ column, to: "null" as const }] : [])),
  ];
}

const dueNow = ({ nullIsDue }: MappedColumn): NewValue => (nullIsDue ? "null" : "now");

function endsOf(table: CatalogTable, columns: Columns, zone: string): End[] {
  const taken = new Set(Object.values(columns).map(({ name }) => name));
  return table.columns.flatMap((column) => {
    const kind = taken.has(column.name) ? null : kindOf(column);
    if (kind === null || !fits(column, kind, columns)) return [];
    return [{ kind, column: mapped(column, zone), isFlag: column.family === "boolean" }];
  });
}

/** A time of the last failure says no more than a count of attempts. */
function fits({ family, nullable, hasDefault }: CatalogColumn, kind: EndKind, { attempts }: Columns): boolean {
  if (family === "boolean") return true;
  if ((family !== "instant" && family !== "datetime") || !nullable || hasDefault) return false;
  return kind !== "failed" || attempts === undefined;
}

function kindOf({ name }: CatalogColumn): EndKind | null {
  const words = wordsOf(name);
  const kinds = Object.keys(END_PATTERNS) as EndKind[];
  return kinds.find((kind) => END_PATTERNS[kind].some((pattern) => matchWords(words, pattern) !== null)) ?? null;
}

function mapped(column: CatalogColumn, zone: string): MappedColumn {
  const time = timeEncodingOf(column, zone);
  return { name: column.name, type: column.type, nullable: column.nullable, ...(time ? { time } : {}), from: "shape" };
}

const MEANING: Readonly<Record<EndKind, string>> = {
  dead: "dead",
  failed: "failed",
  withdrawn: "of an unknown state",
};

function readingOf({ column, kind }: Mark, ends: readonly End[]): string {
  const when = (name: string, isFlag: boolean) => `when ${name} is ${isFlag ? "true" : "set"}`;
  const others = ends.map((end) => `${MEANING[end.kind]} ${when(end.column.name, end.isFlag)}`);
  return `Published ${when(column.name, kind === "flag")}; otherwise ${others.join(", ")}.`;
}

const listed = (names: readonly string[]) => names.join(", ");
