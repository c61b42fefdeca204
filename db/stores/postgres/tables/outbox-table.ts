import { type SQL, sql } from "drizzle-orm";
import { alias, customType, type PgColumn, PgSchema, type PgTable } from "drizzle-orm/pg-core";
import { columnsOfStates, type InboxMapping } from "#db/stores/port/inbox-mapping.ts";
import type { MappedColumn, OutboxMapping, TableName } from "#db/stores/port/mapping.ts";
import { columnsOfClaim } from "#db/stores/port/table-rules.ts";
import type { StatedRow } from "#db/stores/shared/states/state-predicates.ts";
import { dialect } from "../connection/dialect.ts";
import { conditionsOver } from "./states/row-conditions.ts";

/** A table that is not ours, as a Drizzle table built at run time from the columns of a mapping. */
export interface ForeignTable {
  /** The table with its schema, for INSERT, UPDATE and DELETE. */
  table: PgTable;
  /** The same under its alias, for FROM. */
  rows: PgTable;
  /** A column of `rows`, in the mapping or not. */
  column(column: Pick<MappedColumn, "name">): SQL;
  /** All columns of `rows`, for a subquery in its place. */
  every: { every: SQL };
}

export type OutboxTable = ForeignTable & StatedRow;

/** A column of any type. Values are not parsed: statements select text and cast what they compare. */
const column = customType<{ data: string; config: { type: string }; configRequired: true }>({
  dataType: ({ type }) => type,
});

const outboxTables = new WeakMap<OutboxMapping, Map<string, OutboxTable>>();

/** The outbox table of a mapping. Cached per alias. */
export function outboxTable(mapping: OutboxMapping, name = "t"): OutboxTable {
  const known = outboxTables.get(mapping)?.get(name);
  if (known) return known;
  const { primaryKey, columns } = mapping;
  const lifecycle =
    mapping.lifecycle.kind === "log" ? (mapping.lifecycle.native ?? mapping.lifecycle) : mapping.lifecycle;
  const table = foreignTable(mapping.table, name, [
    ...Object.values(columns),
    ...primaryKey,
    ...("column" in lifecycle ? [lifecycle.column] : []),
    ...(lifecycle.kind === "rules" ? lifecycle.columns : []),
    ...(lifecycle.kind === "status" ? (lifecycle.marks ?? []).map(({ column }) => column) : []),
    ...(mapping.attemptsLimit ? [mapping.attemptsLimit] : []),
    ...(mapping.claim ? columnsOfClaim(mapping.claim) : []),
  ]);
  const made = { mapping, ...table, conditions: conditionsOver(table) };
  outboxTables.set(mapping, (outboxTables.get(mapping) ?? new Map()).set(name, made));
  return made;
}

const inboxTables = new WeakMap<InboxMapping, ForeignTable>();

/** The inbox table of a mapping. Cached. */
export function inboxTable(mapping: InboxMapping): ForeignTable {
  const { messageId, consumer, eventType, receivedAt, processedAt, error, primaryKey } = mapping;
  const named = [
    messageId,
    consumer,
    eventType,
    receivedAt,
    processedAt,
    error,
    ...columnsOfStates(mapping),
    ...primaryKey,
  ];
  const columns = named.filter((one) => one !== null);
  const made = inboxTables.get(mapping) ?? foreignTable(mapping.table, "t", columns);
  inboxTables.set(mapping, made);
  return made;
}

/**
 * A table with its schema. `pgSchema` refuses "public", and without a schema the search path would choose the table.
 */
export function tableNamed({ schema, name }: TableName): PgTable {
  return new PgSchema(schema).table(name, {});
}

/** The name of a table with its schema, quoted. */
export function qualifiedName({ schema, name }: TableName): string {
  return `${dialect.escapeName(schema)}.${dialect.escapeName(name)}`;
}

/** The table's regclass. The statement fails if the table does not exist. */
export function regclass(table: TableName): SQL {
  return sql`${qualifiedName(table)}::regclass`;
}

/** Columns get numbered keys: one named `getSQL` or `__proto__` must not become a member of the table. */
export function foreignTable(table: TableName, name: string, mapped: readonly MappedColumn[]): ForeignTable {
  const types = new Map(mapped.map((one) => [one.name, one.type]));
  const builders = [...types].map(([column_, type], index) => [`c${index}`, column(column_, { type })] as const);
  const whole = new PgSchema(table.schema).table(table.name, Object.fromEntries(builders));
  const rows = alias(whole, name);
  const columns = builders.map(([key]) => rows[key] as PgColumn);
  const byName = new Map(columns.map((one) => [one.name, sql`${one}`]));
  return {
    table: whole,
    rows,
    every: { every: sql`${rows}.*` },
    column: (wanted) => byName.get(wanted.name) ?? sql`${rows}.${sql.identifier(wanted.name)}`,
  };
}
