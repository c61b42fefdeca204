import type { CatalogColumn, CatalogTable } from "../stores/port/catalog.ts";
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
import { columnNamed, type FoundLibrary } from "./find-library.ts";
import type { LibraryTable, OutboxOfLibrary } from "./libraries/library.ts";
import { primaryKeyOf } from "./primary-key.ts";
import { timeEncodingOf } from "./time-encoding.ts";
import { normalise } from "./vocabulary.ts";

export interface LibraryRecognition {
  mapping: OutboxMapping;
  title: string;
  confidence: "exact" | "likely";
  question: string | null;
  missing: null;
  warnings: string[];
  score: number;
  evidence: string[];
}

/** The mapping of a library's outbox or table of dead letters. Columns that this version lacks play no role. */
export function recogniseLibrary(
  found: FoundLibrary & { kind: OutboxOfLibrary },
  { table, tables, timeZone }: { table: CatalogTable; tables: readonly CatalogTable[]; timeZone: string },
): LibraryRecognition {
  const { known, kind, byName } = found;
  const toMapped = mapperOf(table, kind, timeZone);
  const columns = Object.fromEntries(
    Object.entries(kind.columns).flatMap(([role, name]) => {
      const column = columnNamed(table, name);
      return column ? [[role, toMapped(name)]] : [];
    }),
  ) as OutboxMapping["columns"];
  const lifecycle = lifecycleOf(known, kind, { table, tables, toMapped, timeZone });
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

type ToMapped = (name: string) => MappedColumn;

function mapperOf(table: CatalogTable, kind: OutboxOfLibrary | null, timeZone: string): ToMapped {
  return (name) => {
    const column = columnNamed(table, name);
    if (!column)
      throw new Error(`${table.schema}.${table.name} has no column ${name}, which its library's rules need.`);
    const told = Object.entries(kind?.times ?? {}).find(([of]) => normalise(of) === normalise(name))?.[1];
    return mapped(column, told, timeZone);
  };
}

function mapped(column: CatalogColumn, told: MappedColumn["time"], timeZone: string): MappedColumn {
  const time = told ?? timeEncodingOf(column, timeZone);
  return {
    name: column.name,
    type: column.type,
    nullable: column.nullable,
    ...(time ? { time } : {}),
    from: "shape",
  };
}

interface Place {
  table: CatalogTable;
  tables: readonly CatalogTable[];
  toMapped: ToMapped;
  timeZone: string;
}

function lifecycleOf({ library }: LibraryTable, { lifecycle }: OutboxOfLibrary, place: Place): Lifecycle {
  if (lifecycle.kind === "untold") return { kind: "untold", owner: library, where: lifecycle.where };
  const { toMapped } = place;
  const states = mapStates(lifecycle.states, toMapped);
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
    shown: lifecycle.shown === undefined ? null : toMapped(lifecycle.shown),
    states,
    verbs,
    columns: [...new Map(named.map((column) => [column.name, column])).values()],
  };
}

function mapStates(states: StateRules<string>, to: ToMapped): StateRules<MappedColumn> {
  const { waiting, dead, published, expired, failed, claim, countsTries } = states;
  const map = (condition: Condition<string> | undefined) => condition && mapCondition(condition, to);
  const optional = { dead: map(dead), published: map(published), expired: map(expired), failed: map(failed) };
  return {
    waiting: mapCondition(waiting, to),
    ...(Object.fromEntries(Object.entries(optional).filter(([, rule]) => rule !== undefined)) as Partial<
      StateRules<MappedColumn>
    >),
    ...(claim ? { claim: mapClaim(claim, to) } : {}),
    ...(countsTries ? { countsTries } : {}),
  };
}

function mapClaim({ marked, ends }: ClaimRule<string>, to: ToMapped): ClaimRule<MappedColumn> {
  if (!ends) return { marked: mapCondition(marked, to) };
  const { column, plusSecondsOf, ...rest } = ends;
  return {
    marked: mapCondition(marked, to),
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
function valuesHere({ values }: Moving, { table }: Place): Moving["values"] {
  return values.filter(
    ({ value }) => !(typeof value === "object" && "column" in value) || columnNamed(table, value.column) !== undefined,
  );
}

/** A move into a table of the library is refused where that table is not; rows that nobody keeps need no deletion. */
function mapVerb(verb: VerbRule<string, string>, place: Place): VerbRule<MappedColumn, TableName> {
  if ("refuse" in verb || "moveOut" in verb) return verb;
  const sibling = "moveTo" in verb ? targetOf(verb, place) : copiesOf(verb, place);
  if ("moveTo" in verb && !sibling)
    return {
      refuse: `The library's table ${verb.moveTo} is not in the schema ${place.table.schema} as the library creates it, so this cannot be done as it does it.`,
    };
  const theirs = sibling && mapperOf(sibling, null, place.timeZone);
  const name = sibling && ({ schema: sibling.schema, name: sibling.name } satisfies TableName);
  if ("moveTo" in verb) {
    if (!theirs || !name) throw new Error("A move needs a table.");
    const values = valuesHere(verb, place).map((one) => ({
      theirs: theirs(one.theirs),
      value:
        typeof one.value === "object" && "column" in one.value
          ? { column: place.toMapped(one.value.column) }
          : one.value,
    }));
    return { moveTo: name, values, does: verb.does };
  }
  return {
    set: setOf(verb.set, place),
    ...(verb.deleteFrom && theirs && name
      ? {
          deleteFrom: {
            table: name,
            theirs: theirs(verb.deleteFrom.theirs),
            ours: place.toMapped(verb.deleteFrom.ours),
          },
        }
      : {}),
    does: verb.does,
  };
}

/** Columns that this version of the library's table lacks are not written. */
function setOf(set: Setting["set"], { table, toMapped }: Place) {
  return set
    .filter(({ column }) => columnNamed(table, column) !== undefined)
    .map(({ column, to }) => ({ column: toMapped(column), to }));
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
