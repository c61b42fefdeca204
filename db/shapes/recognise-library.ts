import type { CatalogTable } from "../stores/port/catalog.ts";
import type { Lifecycle, MappedColumn, OutboxMapping, TableName } from "../stores/port/mapping.ts";
import {
  type ClaimRule,
  type Condition,
  columnsOfCondition,
  mapCondition,
  type StateRules,
  type VerbRule,
} from "../stores/port/table-rules.ts";
import { archiveTableOf } from "./archive-table.ts";
import { fitted, fittedValue } from "./columns/fitted-conditions.ts";
import { type LibraryColumns, libraryColumns } from "./columns/library-columns.ts";
import { primaryKeyOf } from "./columns/primary-key.ts";
import { columnNamed, type FoundLibrary } from "./find-library.ts";
import type { LibraryTable, OutboxOfLibrary } from "./libraries/library-table-type.ts";
import type { Recognition } from "./recognition.ts";
import { normalise } from "./vocabulary.ts";

/** The mapping of a library's outbox or table of dead letters. Columns that this version lacks play no role. */
export function recogniseLibrary(
  found: FoundLibrary & { kind: OutboxOfLibrary },
  { table, tables, timeZone }: { table: CatalogTable; tables: readonly CatalogTable[]; timeZone: string },
): Recognition {
  const { known, kind, byName } = found;
  const ours = libraryColumns(table, { times: kind.times, timeZone });
  const columns = Object.fromEntries(
    Object.entries(kind.columns).flatMap(([role, name]) => {
      const column = ours.find(name);
      return column ? [[role, column]] : [];
    }),
  ) as OutboxMapping["columns"];
  const lifecycle = lifecycleOf(known, kind, { table, tables, ours, timeZone });
  if (lifecycle.kind === "rules" && lifecycle.shown) columns.status = lifecycle.shown;
  const mapping: OutboxMapping = {
    table: { schema: table.schema, name: table.name },
    primaryKey: primaryKeyOf(table),
    columns,
    lifecycle,
    deadAttempts: null,
    archiveTable: archiveTableOf(table, tables),
    shape: known.slug,
  };
  return {
    mapping,
    title: kind.role === "dead letters" ? `${known.library}, its dead letters` : known.library,
    confidence: byName ? "exact" : "likely",
    question: byName ? null : questionOf(known),
    missing: null,
    warnings: [...(kind.traps ?? [])],
    score: byName ? 100 : 80,
    evidence: [`Its ${byName ? "name and its " : ""}columns are those of ${known.library}.`],
  };
}

function questionOf({ library, slug }: LibraryTable): string {
  return `Is this the table of ${library}, under another name? If it is, set shape: ${slug}; if not, set shape: none.`;
}

interface Place {
  table: CatalogTable;
  tables: readonly CatalogTable[];
  ours: LibraryColumns;
  timeZone: string;
}

function lifecycleOf({ library }: LibraryTable, { lifecycle }: OutboxOfLibrary, place: Place): Lifecycle {
  if (lifecycle.kind === "untold") return { kind: "untold", owner: library, where: lifecycle.where };
  const { need } = place.ours;
  const states = mapStates(lifecycle.states, need);
  const { retry, archive, restore } = lifecycle.verbs;
  const verbs = {
    retry: mapVerb(retry, place),
    "dead-letter": mapDeadLetter(lifecycle.verbs["dead-letter"], place),
    ...(archive ? { archive } : {}),
    ...(restore ? { restore } : {}),
  };
  const named = [...columnsOfStates(states), ...[verbs.retry, verbs["dead-letter"]].flatMap(columnsOfVerb)];
  return {
    kind: "rules",
    owner: library,
    shown: lifecycle.shown === undefined ? null : need(lifecycle.shown),
    ...(lifecycle.sentRowsMayGo === undefined ? {} : { sentRowsMayGo: lifecycle.sentRowsMayGo }),
    states,
    verbs,
    columns: [...new Map(named.map((column) => [column.name, column])).values()],
  };
}

function mapStates(states: StateRules<string>, to: LibraryColumns["need"]): StateRules<MappedColumn> {
  const { waiting, dead, published, expired, failed, claim, countsTries } = states;
  const map = (condition: Condition<string> | undefined) => condition && fitted(mapCondition(condition, to));
  const optional = { dead: map(dead), published: map(published), expired: map(expired), failed: map(failed) };
  return {
    waiting: fitted(mapCondition(waiting, to)),
    ...(Object.fromEntries(Object.entries(optional).filter(([, rule]) => rule !== undefined)) as Partial<
      StateRules<MappedColumn>
    >),
    ...(claim ? { claim: mapClaim(claim, to) } : {}),
    ...(countsTries ? { countsTries } : {}),
  };
}

function mapClaim({ marked, ends }: ClaimRule<string>, to: LibraryColumns["need"]): ClaimRule<MappedColumn> {
  if (!ends) return { marked: fitted(mapCondition(marked, to)) };
  const { column, plusSecondsOf, ...rest } = ends;
  return {
    marked: fitted(mapCondition(marked, to)),
    ends: { ...rest, column: to(column), ...(plusSecondsOf === undefined ? {} : { plusSecondsOf: to(plusSecondsOf) }) },
  };
}

function columnsOfStates({
  claim,
  waiting,
  dead,
  published,
  expired,
  failed,
}: StateRules<MappedColumn>): MappedColumn[] {
  const conditions = [waiting, dead, published, expired, failed, claim?.marked].filter((one) => one !== undefined);
  const { column, plusSecondsOf } = claim?.ends ?? {};
  const ends = [column, plusSecondsOf].filter((one) => one !== undefined);
  return [...conditions.flatMap(columnsOfCondition), ...ends];
}

function columnsOfVerb(verb: VerbRule<MappedColumn, TableName>): MappedColumn[] {
  if ("set" in verb)
    return [...verb.set.map(({ column }) => column), ...(verb.deleteFrom ? [verb.deleteFrom.ours] : [])];
  if (!("moveTo" in verb)) return [];
  return verb.values.flatMap(({ value }) => (typeof value === "object" && "column" in value ? [value.column] : []));
}

/** A row leaves for our own dead letters where the library's table of dead letters is not. */
function mapDeadLetter(verb: VerbRule<string, string>, place: Place): VerbRule<MappedColumn, TableName> {
  if ("moveTo" in verb && !targetOf(verb, place))
    return { moveOut: true, does: "Moved to the dead letters, where the library does not see it." };
  return mapVerb(verb, place);
}

type Moving = Extract<VerbRule<string, string>, { moveTo: unknown }>;
type Setting = Extract<VerbRule<string, string>, { set: unknown }>;

/** The library's table that takes the row; undefined if it is not there, or lacks a column that this row fills. */
function targetOf(verb: Moving, place: Place): CatalogTable | undefined {
  const target = siblingOf(place, verb.moveTo);
  return target && valuesHere(verb, place).every(({ theirs }) => columnNamed(target, theirs)) ? target : undefined;
}

/** The library's table with rows that it keeps for this one; undefined if it is not there. */
function copiesOf({ deleteFrom }: Setting, place: Place): CatalogTable | undefined {
  const table = deleteFrom && siblingOf(place, deleteFrom.table);
  return table && columnNamed(table, deleteFrom.theirs) ? table : undefined;
}

/** Columns that this version of the library's table lacks are not moved. */
function valuesHere({ values }: Moving, { ours }: Place): Moving["values"] {
  return values.filter(
    ({ value }) => !(typeof value === "object" && "column" in value) || ours.find(value.column) !== null,
  );
}

/** A move into a table of the library is refused where that table is not; rows that nobody keeps need no deletion. */
function mapVerb(verb: VerbRule<string, string>, place: Place): VerbRule<MappedColumn, TableName> {
  if ("refuse" in verb || "moveOut" in verb) return verb;
  return "moveTo" in verb ? mapMove(verb, place) : mapSetting(verb, place);
}

function mapMove(verb: Moving, place: Place): VerbRule<MappedColumn, TableName> {
  const target = targetOf(verb, place);
  if (!target)
    return {
      refuse: `The library's table ${verb.moveTo} is not in the schema ${place.table.schema} as the library creates it, so this cannot be done as it does it.`,
    };
  const theirs = libraryColumns(target, { timeZone: place.timeZone });
  const values = valuesHere(verb, place).map(({ theirs: name, value }) => ({
    theirs: theirs.need(name),
    value: typeof value === "object" && "column" in value ? { column: place.ours.need(value.column) } : value,
  }));
  return { moveTo: nameOf(target), values, does: verb.does };
}

/** Columns that this version of the library's table lacks are not written. */
function mapSetting(verb: Setting, place: Place): VerbRule<MappedColumn, TableName> {
  const set = verb.set.flatMap(({ column: name, to }) => {
    const column = place.ours.find(name);
    return column ? [{ column, to: fittedValue(column, to) }] : [];
  });
  const copies = copiesOf(verb, place);
  if (!verb.deleteFrom || !copies) return { set, does: verb.does };
  const theirs = libraryColumns(copies, { timeZone: place.timeZone }).need(verb.deleteFrom.theirs);
  const deleteFrom = { table: nameOf(copies), theirs, ours: place.ours.need(verb.deleteFrom.ours) };
  return { set, deleteFrom, does: verb.does };
}

function nameOf({ schema, name }: CatalogTable): TableName {
  return { schema, name };
}

/** The table of that name beside this one; under this one's own prefix, if the library's names have one here. */
function siblingOf({ table, tables }: Place, name: string): CatalogTable | undefined {
  const wanted = normalise(name);
  const own = normalise(table.name);
  const prefixOf = (one: CatalogTable) => normalise(one.name).slice(0, -wanted.length);
  return tables
    .filter(
      (one) => one.schema === table.schema && normalise(one.name).endsWith(wanted) && own.startsWith(prefixOf(one)),
    )
    .toSorted((one, other) => prefixOf(other).length - prefixOf(one).length)[0];
}
