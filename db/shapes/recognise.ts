import type { CatalogColumn, CatalogTable } from "../stores/port/catalog.ts";
import type { ColumnRole, MappedColumn, MarkedLifecycle, OutboxMapping } from "../stores/port/mapping.ts";
import { archiveTableOf } from "./archive-table.ts";
import { assignRoles } from "./columns/assign-roles.ts";
import { primaryKeyOf } from "./columns/primary-key.ts";
import { timeEncodingOf } from "./columns/time-encoding.ts";
import { unreadColumns } from "./columns/unread-columns.ts";
import { isEmptyAtFirst, unsetDefaultOf, unsetOf } from "./columns/unset-default.ts";
import { findLibrary } from "./find-library.ts";
import { type Judgement, judgeTable } from "./judge-table.ts";
import { LIBRARY_TABLES } from "./libraries/library-tables.ts";
import { besideLifecycle } from "./lifecycle/beside-lifecycle.ts";
import { claimText } from "./lifecycle/claim-marks.ts";
import { errorOfFirst, firstAttemptText } from "./lifecycle/counted-claims.ts";
import { type FoundLifecycle, lifecycleOf } from "./lifecycle/lifecycle.ts";
import { rulesOfEnds } from "./lifecycle/marked-ends.ts";
import { firstAttemptOf } from "./lifecycle/row-marks.ts";
import { withOneMark } from "./lifecycle/single-mark.ts";
import { undecidedColumns, undecidedText } from "./lifecycle/undecided.ts";
import { type Asked, questionOf } from "./open-question.ts";
import type { MappingOverrides } from "./overrides.ts";
import { recogniseLibrary } from "./recognise-library.ts";
import type { Recognition } from "./recognition.ts";
import { type Shape, shapeOf } from "./shape-titles.ts";
import { markBeside } from "./tables-beside.ts";
import { warningsOf } from "./warnings-of.ts";
import { type IndexHints, indexHintsOf } from "./words/index-hints.ts";

const NO_OVERRIDES: MappingOverrides = { columns: {}, timeZone: "UTC" };
const TIME_ROLES: readonly ColumnRole[] = ["createdAt", "publishedAt", "availableAt", "lockedUntil", "expiresAt"];

/**
 * True when a table is an outbox by its name, its columns and what else it resembles. See judgeTable for a near miss.
 */
export function looksLikeOutbox(table: CatalogTable): boolean {
  return judgeTable(table).kind === "outbox";
}

/**
 * Maps a table by its columns and the configuration, which wins. A missing key, a missing creation time and lifecycle
 * `delete` give warnings; a doubtful lifecycle gives a question. Returns `problem`, a sentence, if the table cannot be
 * mapped.
 */
export function recogniseOutbox(
  table: CatalogTable,
  tables: readonly CatalogTable[],
  overrides: MappingOverrides = NO_OVERRIDES,
): Recognition | { problem: string } {
  const missing = Object.values(overrides.columns).filter(
    (name) => !table.columns.some((column) => column.name === name),
  );
  if (missing.length > 0) return { problem: `${table.schema}.${table.name} has no column ${missing.join(", ")}.` };
  const unfit = unfitShape(table, overrides);
  if (unfit !== null) return { problem: unfit };
  const library = libraryOf(table, overrides);
  if (library) return recogniseLibrary(library, { table, tables, timeZone: overrides.timeZone });
  const roles = assignRoles(table, overrides.columns);
  if (!roles.id)
    return { problem: `${table.schema}.${table.name}: no column was recognised as the id; name it under columns.` };
  if (!roles.payload)
    return {
      problem: `${table.schema}.${table.name}: no column was recognised as the payload; name it under columns.`,
    };
  const columns = mapColumns(withoutFirstAttempt(table, roles, overrides), overrides, indexHintsOf(table));
  const configured = isConfigured(overrides);
  const { lifecycle, missing: lacking } = asLooked(table, columns, {
    found: lifecycleOf({ table, columns, overrides }),
    configured,
  });
  const deadAttempts = columns.attempts ? (overrides.deadAttempts ?? null) : null;
  const shape = shapeOf(table, lifecycle);
  const isGuess = isGuessed(overrides, shape);
  if (isGuess) doubtLeftOver(lifecycle, columns, shape);
  const ends = rulesOfEnds(table, { lifecycle, columns, deadAttempts, overrides, isGuess });
  if (lifecycle.kind === "status" && lifecycle.column !== columns.publishedAt) columns.status = lifecycle.column;
  if (lifecycle.kind === "status" && shape.words) lifecycle.shown = [...(lifecycle.shown ?? []), ...shape.words];
  const read = ends
    ? { asks: false }
    : besideLifecycle(table, { lifecycle, columns, deadAttempts, overrides, isGuess });
  const { asks, ...beside } = read;
  const first = errorOfFirst(table, columns, overrides);
  const mapping: OutboxMapping = {
    table: { schema: table.schema, name: table.name },
    primaryKey: primaryKeyOf(table),
    columns: {
      ...columns,
      id: columns.id ?? toMapped(roles.id, "id", overrides),
      payload: columns.payload ?? toMapped(roles.payload, "payload", overrides),
    },
    lifecycle: ends ?? lifecycle,
    deadAttempts: ends ? null : deadAttempts,
    ...beside,
    ...first,
    archiveTable: archiveTableOf(table, tables),
    shape: configured ? "configured" : shape.slug,
  };
  return {
    mapping,
    title: shape.title,
    ...surenessOf(
      {
        table,
        lifecycle,
        overrides,
        ends,
        asks,
        claim: `${claimText(beside.claim)}${givenUpText(columns)}${errorText(lifecycle, columns)}${firstAttemptText(columns, first)}`,
        published: columns.publishedAt,
        unread: unreadColumns(table, mapping),
      },
      shape,
      configured,
    ),
    missing: lacking === null ? null : `${lacking}${markBeside(table, tables)}`,
    warnings: warningsOf(table, mapping),
    ...pick(judgeTable(table)),
  };
}

/**
 * Nothing is known while values that decide could not be looked at; what a person or a known layout says needs no look.
 */
function asLooked(
  table: CatalogTable,
  columns: Partial<Record<ColumnRole, MappedColumn>>,
  { found, configured }: { found: FoundLifecycle; configured: boolean },
): FoundLifecycle {
  if (configured || shapeOf(table, found.lifecycle).confidence === "exact") return found;
  if (table.singleMark) return withOneMark(table, columns, found, "UTC");
  const undecided = undecidedColumns(table, { hasMark: columns.publishedAt !== undefined });
  return undecided.length === 0 ? found : { lifecycle: { kind: "unknown" }, missing: undecidedText(table, undecided) };
}

/**
 * No index says what a row is that was tried and has no next time: a relay that gives up may empty it, and one that
 * claims.
 */
function doubtLeftOver(
  { kind }: MarkedLifecycle,
  { availableAt, attempts, lockedUntil, lockedBy }: Partial<Record<ColumnRole, MappedColumn>>,
  { confidence }: Shape,
): void {
  const isMarked = confidence !== "exact" && (kind === "timestamp" || kind === "flag");
  const isOpen = availableAt?.nullable && !availableAt.generated && !availableAt.nullIsDue;
  if (isMarked && isOpen && attempts && !lockedUntil && !lockedBy) availableAt.nullIsOver = true;
}

/**
 * Sentence, behind a space: which rows that were tried are in state unknown; empty where a due time says nothing of it.
 */
function givenUpText({ availableAt, attempts }: Partial<Record<ColumnRole, MappedColumn>>): string {
  if (!availableAt?.nullIsOver || !attempts) return "";
  return ` Of an unknown state when ${availableAt.name} is null after a failed attempt.`;
}

/** Sentence, behind a space: rows with an error that nothing counts have failed. */
function errorText(
  lifecycle: MarkedLifecycle,
  { attempts, lastError }: Partial<Record<ColumnRole, MappedColumn>>,
): string {
  if ((lifecycle.kind !== "timestamp" && lifecycle.kind !== "flag") || attempts || !lastError) return "";
  return ` Failed when ${lastError.name} has a text.`;
}

/** What our own relay publishes by a layout that is known, waits by it. */
const isGuessed = (overrides: MappingOverrides, { confidence }: Shape) =>
  !isConfigured(overrides) && !(overrides.ownRelay === true && confidence === "exact");

function isConfigured({ columns, lifecycle }: MappingOverrides): boolean {
  return Object.keys(columns).length > 0 || lifecycle !== undefined;
}

/** A layout that is known says nothing of a mark that it does not have, nor of a column whose meaning is not known. */
function surenessOf(asked: Asked & { asks: boolean }, { confidence }: Shape, configured: boolean) {
  const isExact = confidence === "exact" && !asked.ends && !asked.asks;
  const likely = isExact ? ("exact" as const) : ("likely" as const);
  return { confidence: configured ? ("configured" as const) : likely, question: isExact ? null : questionOf(asked) };
}

/** Sentence: why a configured shape is not this table's; null if it is, or none is configured. */
function unfitShape(table: CatalogTable, { shape }: MappingOverrides): string | null {
  if (shape === undefined || shape === "none") return null;
  const known = LIBRARY_TABLES.find(({ slug }) => slug === shape);
  const name = `${table.schema}.${table.name}`;
  if (known?.kind.role !== "outbox" && known?.kind.role !== "dead letters")
    return `shape is ${shape}, and no outbox of a library is known by that name; \`npm run shapes\` lists them.`;
  return findLibrary(table, shape)
    ? null
    : `shape is ${shape}, but the columns of ${name} are not those of ${known.library}.`;
}

/** A person's answer about columns or the lifecycle takes precedence over a library's file. */
function libraryOf(table: CatalogTable, overrides: MappingOverrides) {
  const { shape, columns, lifecycle, unmarked } = overrides;
  if (shape === "none" || unmarked || lifecycle || Object.keys(columns).length > 0) return null;
  const found = findLibrary(table, shape);
  const kind = found?.known.kind;
  if (!found || !kind || kind.role === "helper" || kind.role === "inbox") return null;
  return { ...found, kind };
}

function pick({ score, evidence }: Judgement): Pick<Recognition, "score" | "evidence"> {
  return { score, evidence };
}

/**
 * A count of attempts that begins with the first is a mark beside the others: as attempts that failed it would be
 * false.
 */
function withoutFirstAttempt(table: CatalogTable, roles: Judgement["roles"], { columns }: MappingOverrides) {
  const { attempts, ...others } = roles;
  if (!attempts || columns.attempts || firstAttemptOf(table, attempts) === null) return roles;
  return others;
}

function mapColumns(roles: Partial<Record<ColumnRole, CatalogColumn>>, overrides: MappingOverrides, hints: IndexHints) {
  const columns: Partial<Record<ColumnRole, MappedColumn>> = {};
  for (const [role, column] of Object.entries(roles) as [ColumnRole, CatalogColumn][]) {
    columns[role] = toMapped(column, role, overrides);
  }
  for (const role of ["lockedBy", "lastError"] as const) {
    const [column, found] = [columns[role], roles[role]];
    if (column && found && isEmptyAtFirst(found)) column.emptyAtFirst = true;
  }
  const free = roles.lockedUntil && unsetDefaultOf({ ...roles.lockedUntil, holdsTimes: true });
  if (columns.lockedUntil && free) columns.lockedUntil.atFirst = free;
  if (columns.availableAt && roles.availableAt) Object.assign(columns.availableAt, dueFacts(roles.availableAt, hints));
  return columns;
}

/** What a due time that is null means, and whether anybody may write it. */
function dueFacts({ name, nullable, generated, defaultSql }: CatalogColumn, { nulls, filled }: IndexHints) {
  if (generated) return { generated: true as const };
  if (nulls.has(name)) return { nullIsDue: true as const };
  const isGiven = defaultSql !== null && !/^null\b/i.test(defaultSql);
  return nullable && (isGiven || filled.has(name)) ? { nullIsOver: true as const } : {};
}

function toMapped(column: CatalogColumn, role: ColumnRole, overrides: MappingOverrides): MappedColumn {
  const time = TIME_ROLES.includes(role) ? timeEncodingOf(column, overrides.timeZone) : undefined;
  return {
    name: column.name,
    type: column.type,
    nullable: column.nullable,
    ...(time ? { time } : {}),
    ...(role === "publishedAt" && unsetOf(column) !== null ? { hasUnset: true as const } : {}),
    from: overrides.columns[role] === column.name ? "config" : "shape",
  };
}
