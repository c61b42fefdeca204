import type { CatalogTable } from "../../stores/port/catalog.ts";
import type { ColumnRole, MappedColumn, MarkedLifecycle } from "../../stores/port/mapping.ts";
import { refersToCodes } from "../columns/code-labels.ts";
import { plainName } from "../columns/plain-name.ts";
import { isAlwaysSet, isSetAtFirst, isUnsetDefault, unsetOf } from "../columns/unset-default.ts";
import type { MappingOverrides } from "../overrides.ts";
import type { Concept } from "../words/concepts.ts";
import { isFlagName, isWaitingName } from "../words/flag-names.ts";
import { matchWords } from "../words/match-words.ts";
import { wordsOf } from "../words/name-words.ts";
import { ROLE_PATTERNS } from "../words/role-patterns.ts";
import { isSendName, isStatusName } from "../words/status-name.ts";
import { meaningOf } from "../words/status-words.ts";
import { flagBesideTime, otherStatuses, rivalStatuses } from "./other-marks.ts";
import { defaultWordOf, familyOf, shownWords, statusLifecycle } from "./status-lifecycle.ts";

type Columns = Partial<Record<ColumnRole, MappedColumn>>;

export interface FoundLifecycle {
  lifecycle: MarkedLifecycle;
  /** Sentence: what the lifecycle lacks; the lifecycle is then `unknown`. Null if it lacks nothing. */
  missing: string | null;
}

/**
 * How the table marks published messages: a status column wins over a time, a time over a flag. Without any of them,
 * published rows count as deleted only if the configuration says so: a wrong guess would publish every row again and
 * delete it.
 */
export function lifecycleOf(input: {
  table: CatalogTable;
  columns: Columns;
  overrides: MappingOverrides;
}): FoundLifecycle {
  const { table, columns, overrides } = input;
  const kind = overrides.lifecycle?.kind ?? defaultKind(table, columns, overrides);
  switch (kind) {
    case "status":
      return columns.status ? byStatus(table, columns, columns.status, overrides) : withoutColumn(table, kind);
    case "timestamp":
    case "flag": {
      const column = columns.publishedAt;
      if (!column) return withoutColumn(table, kind);
      const isFlag = isBoolean(table, column);
      const doubtful = withoutNull(table, column, overrides.lifecycle?.kind !== undefined);
      if (doubtful) return doubtful;
      return isFlag === (kind === "flag") ? found({ kind, column }) : ofAnotherType(table, kind, column);
    }
    case "unknown":
      return missing(
        `No column of ${nameOf(table)} shows whether a message was published.${unreadMarks(table, columns)}`,
      );
    default:
      return found({ kind });
  }
}

const found = (lifecycle: MarkedLifecycle): FoundLifecycle => ({ lifecycle, missing: null });

/** By the words of `status`, unless another column may be the one that says it. */
function byStatus(
  table: CatalogTable,
  columns: Columns,
  status: MappedColumn,
  overrides: MappingOverrides,
): FoundLifecycle {
  const { name } = status;
  if (overrides.lifecycle?.pending?.includes(null) && !status.nullable) return neverBare(table, name);
  const others = overrides.lifecycle ? [] : otherStatuses(table, columns, name);
  if (others.length > 0) return ofSeveral(table, [name, ...others]);
  const isNamed = overrides.lifecycle !== undefined || overrides.columns.status !== undefined;
  const rivals = isNamed ? [] : rivalStatuses(table, columns, name);
  if (rivals.length > 0) return ofRivals(table, [name, ...rivals]);
  if (isOfBusiness(table, columns, overrides)) return ofTwo(table, columns);
  const flag = isNamed ? undefined : codedFlagBeside(table, columns, name);
  if (flag) return ofRivals(table, [name, flag]);
  return found(withoutFirst(statusLifecycle(status, table, overrides), table, overrides));
}

/** A list that names NULL for a column that has none: a retry could not write it. */
function neverBare(table: CatalogTable, name: string): FoundLifecycle {
  return missing(
    `lifecycle.pending has null, and ${name} of ${nameOf(table)} is NOT NULL: every row has a status. Name the words of waiting rows only.`,
  );
}

/** A word that each new row has by the default does not say that it was published, whatever it means elsewhere. */
function withoutFirst(lifecycle: MarkedLifecycle, table: CatalogTable, overrides: MappingOverrides): MarkedLifecycle {
  if (lifecycle.kind !== "status" || overrides.lifecycle) return lifecycle;
  const first = defaultWordOf(table, lifecycle.column.name);
  return { ...lifecycle, published: lifecycle.published.filter((word) => word !== first) };
}

function defaultKind(table: CatalogTable, columns: Columns, overrides: MappingOverrides): MarkedLifecycle["kind"] {
  if (columns.status) return "status";
  if (columns.publishedAt) return isBoolean(table, columns.publishedAt) ? "flag" : "timestamp";
  return overrides.unmarked ?? "unknown";
}

/** Sentence: columns that by their names may say it, in a form that is not read; empty without one. */
function unreadMarks(table: CatalogTable, columns: Columns): string {
  const taken = new Set(Object.values(columns).map(({ name }) => name));
  const found = table.columns
    .filter(({ name }) => !taken.has(name) && saysState(plainName(table, name)))
    .map((column) => {
      const { name, type, family, generated, nullable } = column;
      const isAlways = isSetAtFirst(column) || (!nullable && (family === "instant" || family === "datetime"));
      return `${name} (${generated ? "generated" : isAlways ? `${type} that every row has` : type})`;
    });
  return found.length > 0 ? ` Not read as such: ${found.join(", ")}.` : "";
}

const saysState = (name: string) =>
  isSendName(name) ||
  isStatusName(name.replace(/^current(?=[_A-Z])_?/, "")) ||
  ROLE_PATTERNS.publishedAt.some((one) => matchWords(wordsOf(name), one) !== null);

function isBoolean(table: CatalogTable, column: MappedColumn): boolean {
  return familyOf(table, column) === "boolean";
}

function missing(sentence: string): FoundLifecycle {
  return { lifecycle: { kind: "unknown" }, missing: sentence };
}

function withoutColumn(table: CatalogTable, kind: MarkedLifecycle["kind"]): FoundLifecycle {
  const role = kind === "status" ? "status" : "publishedAt";
  return missing(
    `lifecycle.kind is ${kind}, but no column of ${nameOf(table)} was recognised for it; name it under columns.${role}.`,
  );
}

/** Values beside null do not say that a row was published, so that the column alone decides nothing. */
function undecided(table: CatalogTable, column: MappedColumn, values: string): FoundLifecycle {
  const what =
    /\d/.test(values) && isBoolean(table, column)
      ? `which is neither 0 nor 1, so that 1 may not mean published. Name ${column.name} under columns.status, and its values under lifecycle.`
      : isBoolean(table, column)
        ? "so that it does not say which of them waits. If false means waiting, set lifecycle.kind to flag."
        : "which is no time of publication, so that a time there does not say that a row was published. If those rows were published, set lifecycle.kind to timestamp.";
  return missing(`Rows of ${nameOf(table)} have ${values} in ${column.name}, ${what}`);
}

function ofSeveral(table: CatalogTable, names: readonly string[]): FoundLifecycle {
  return missing(
    `${nameOf(table)} has a status for each of several destinations, ${names.join(", ")}, and one is read. If one says everything, name it under columns.status and its words under lifecycle.`,
  );
}

function ofRivals(table: CatalogTable, names: readonly string[]): FoundLifecycle {
  return missing(
    `Of ${nameOf(table)} each of ${names.join(", ")} may say whether a message was published, and another of them may say something of its subject. Name the one that says it under columns.status, and its words under lifecycle.`,
  );
}

/**
 * Beside a flag of publication a status that no row has by itself, or most of whose words say nothing of sending, may
 * be what the message is about: an order that was delivered, in a message that was not sent.
 */
function isOfBusiness(table: CatalogTable, { status, publishedAt }: Columns, overrides: MappingOverrides): boolean {
  if (!status || !publishedAt || overrides.lifecycle || overrides.columns.status) return false;
  if (table.singleMark) return false;
  const words = shownWords(table, status.name);
  const strange = words.filter((word) => meaningOf(word) === undefined).length;
  const begins = defaultWordOf(table, status.name);
  if (refersToCodes(table, status.name)) return begins === undefined && !isOfSending(table, status.name);
  if (words.some((word) => /^-?\d+$/.test(word))) return false;
  const isMostlyStrange = words.length > 2 && strange * 2 > words.length;
  if (isBoolean(table, publishedAt)) return begins === undefined || ANY_NEW.test(begins);
  return begins === undefined && isMostlyStrange;
}

/**
 * `exported smallint` beside a status that no row has by itself: a flag of publication in a form that no default tells.
 */
function codedFlagBeside(table: CatalogTable, columns: Columns, status: string): string | undefined {
  if (columns.publishedAt || defaultWordOf(table, status) !== undefined || table.singleMark) return undefined;
  const taken = new Set(Object.values(columns).map(({ name }) => name));
  return table.columns.find(
    ({ name, family, generated }) =>
      CODES.includes(family) && !generated && !taken.has(name) && isFlagName(wordsOf(plainName(table, name))),
  )?.name;
}

const CODES: readonly string[] = ["smallint", "integer", "text", "compact", "words"];

/** The codes of a column are in a table whose name speaks of messages, and not of orders. */
function isOfSending({ references = [] }: CatalogTable, column: string): boolean {
  const list = references.find(({ columns }) => columns.length === 1 && columns[0] === column);
  return wordsOf(list?.name ?? "").some(({ concepts }) => concepts.some((one) => OF_SENDING.includes(one)));
}

const OF_SENDING: readonly Concept[] = ["outbox", "event", "message", "published", "publication", "sent", "send"];

/** What a new order is called as well as a new message. */
const ANY_NEW = /^(new|created|open|opened|started|active|init|initial)$/i;

function ofTwo(table: CatalogTable, { status, publishedAt }: Columns): FoundLifecycle {
  return missing(
    `Of ${nameOf(table)} both ${publishedAt?.name} and ${status?.name} may say whether a message was published, and ${status?.name} may say something of its subject. Name ${publishedAt?.name} under columns.publishedAt and set lifecycle.kind, or name ${status?.name} under columns.status and its words under lifecycle.`,
  );
}

/** Lifecycle `flag` would read every waiting row as published. */
function turnedRound(table: CatalogTable, { name }: MappedColumn): FoundLifecycle {
  return missing(
    table.singleMark
      ? `By its name ${name} of ${nameOf(table)} is true while a row waits, and only a flag that is true once it was published is read here.`
      : `By its name ${name} of ${nameOf(table)} is true while a row waits, and lifecycle.kind flag reads true as published. Name ${name} under columns.publishedAt without lifecycle.kind: false is then read as published.`,
  );
}

/**
 * For a mark that is not null while a row waits, which the lifecycle would misread: why it is not used. Null for
 * others.
 */
function withoutNull(table: CatalogTable, column: MappedColumn, isConfigured: boolean): FoundLifecycle | null {
  const known = table.columns.find(({ name }) => name === column.name);
  const unset = known && !table.singleMark ? unsetOf(known) : null;
  const isPlain = isConfigured || table.singleMark === true;
  if (unset !== null && isConfigured) return unsetRead(table, column, unset);
  if (known && !table.singleMark && isAlwaysSet(known))
    return missing(
      `${column.name} of ${nameOf(table)} is never null, and no default says what it has while a row waits.`,
    );
  const found = known?.unsetAs;
  // What only the rows show of a time that is never null says enough beside a flag that agrees.
  const isRead = known?.nullable === false && flagBesideTime(table, { publishedAt: column }, "UTC") !== null;
  if (known && !isRead && found !== undefined && !isUnsetDefault(known, found) && !isConfigured)
    return undecided(table, column, found);
  return isPlain && isBoolean(table, column) && isWaitingName(plainName(table, column.name))
    ? turnedRound(table, column)
    : null;
}

/** Lifecycle `timestamp` would read every waiting row as published. */
function unsetRead(table: CatalogTable, { name }: MappedColumn, unset: string): FoundLifecycle {
  return missing(
    `While a row of ${nameOf(table)} waits it has ${unset} in ${name}, and lifecycle.kind timestamp reads that as published. Name ${name} under columns.publishedAt without lifecycle.kind: another value is then read as published.`,
  );
}

function ofAnotherType(table: CatalogTable, kind: MarkedLifecycle["kind"], column: MappedColumn): FoundLifecycle {
  return missing(`lifecycle.kind is ${kind}, but ${column.name} of ${nameOf(table)} is ${column.type}.`);
}

function nameOf({ schema, name }: CatalogTable): string {
  return `${schema}.${name}`;
}
