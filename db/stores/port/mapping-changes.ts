import type { CatalogColumn, CatalogTable } from "./catalog.ts";
import type { ColumnRole, OutboxMapping, PendingWord } from "./mapping.ts";
import {
  columnsOf,
  type FingerprintColumn,
  type MappingFingerprint,
  STATUS_LISTS,
  type StatusWords,
  wordsOf,
} from "./mapping-fingerprint.ts";

/**
 * How the table differs from the accepted one, as clauses of one sentence; empty while it fits. Added columns are fine.
 */
export function tableChanges(accepted: MappingFingerprint, table: CatalogTable): string[] {
  const name = `${table.schema}.${table.name}`;
  const was = `${accepted.table.schema}.${accepted.table.name}`;
  if (name !== was) return [`the table is ${name}; it was ${was}`];
  const changes = columnsOf(accepted).flatMap((column) => columnChange(column, table, name, accepted.key));
  if (changes.some((change) => change.endsWith("is gone"))) changes.push(...newColumns(accepted, table));
  if (table.key !== accepted.key) {
    changes.unshift(
      `${name} is a different table of the same name: it was created again, restored from a backup, or another one was given the name`,
    );
  }
  return [...changes, ...keyChange(accepted, table, name), ...wordChange(accepted, table)];
}

/** How the configuration differs from the accepted mapping. Expects a `mapping` whose table has no changes. */
export function readingChanges(accepted: MappingFingerprint, mapping: OutboxMapping): string[] {
  const { lifecycle } = mapping;
  const added = addedMarks(accepted, mapping);
  if (added.length > 0) return added;
  const column = "column" in lifecycle ? lifecycle.column.name : null;
  if (lifecycle.kind !== accepted.lifecycle.kind || column !== accepted.lifecycle.column) {
    return [`${teller(lifecycle.kind, column)}; it was ${teller(accepted.lifecycle.kind, accepted.lifecycle.column)}`];
  }
  const { library } = accepted.lifecycle;
  if (library !== undefined && library !== mapping.shape)
    return [`the table is read as ${mapping.shape}; it was ${library}`];
  const roles = (Object.keys(accepted.columns) as ColumnRole[]).flatMap((role) => {
    const [now, was] = [mapping.columns[role]?.name, accepted.columns[role]?.name];
    return now === was ? [] : [`${role} is read from ${now ?? "no column"}; it was ${was}`];
  });
  const { words } = accepted.lifecycle;
  return words && lifecycle.kind === "status" ? [...roles, ...listChanges(words, wordsOf(lifecycle))] : roles;
}

/** Columns added after the acceptance that also show a row's state, in addition to the accepted mark. */
function addedMarks({ all }: MappingFingerprint, { lifecycle, table }: OutboxMapping): string[] {
  const saying =
    lifecycle.kind === "rules"
      ? lifecycle.columns
      : lifecycle.kind === "status"
        ? (lifecycle.marks ?? []).map(({ column }) => column)
        : [];
  return [...new Set(saying.map(({ name }) => name))]
    .filter((name) => !all.includes(name))
    .map(
      (name) =>
        `${name} was added to ${table.schema}.${table.name} after the mapping was accepted, and would say a row's state`,
    );
}

function columnChange(column: FingerprintColumn, table: CatalogTable, name: string, key: string): string[] {
  const now = table.columns.find((candidate) => candidate.name === column.name);
  if (!now) return [`${column.name} of ${name} is gone`];
  if (now.typeKey !== column.typeKey) return [`${column.name} of ${name} ${typeChange(column, now)}`];
  if (table.key === key && now.number !== column.number) {
    return [
      `${column.name} of ${name} is a different column of the same name: its values are not those that were accepted`,
    ];
  }
  return [];
}

/**
 * Types with one name differ in what their keys say in words, such as a collation, or only in the type's own number.
 */
function typeChange(was: FingerprintColumn, now: CatalogColumn): string {
  const [wasType, nowType] = [shortType(was.type), shortType(now.type)];
  if (wasType !== nowType) return `is ${nowType}; it was ${wasType}`;
  if (/[a-z]/i.test(now.typeKey)) return `is ${now.typeKey}; it was ${was.typeKey}`;
  return `has another type of the same name: ${nowType} was created again, or is in another schema`;
}

function newColumns({ all }: MappingFingerprint, table: CatalogTable): string[] {
  return table.columns
    .filter(({ name }) => !all.includes(name))
    .map(({ name, type }) => `${name} (${shortType(type)}) is new`);
}

function keyChange(accepted: MappingFingerprint, table: CatalogTable, name: string): string[] {
  const was = accepted.primaryKey.map((column) => column.name);
  const same = (key: readonly string[]) => key.length === was.length && key.every((part, place) => part === was[place]);
  if ([table.primaryKey, ...table.uniqueKeys].some(same)) return [];
  const now = table.primaryKey.length > 0 ? `(${table.primaryKey.join(", ")})` : "gone";
  return [`the primary key of ${name} is ${now}; it was (${was.join(", ")})`];
}

/** Words in use that an enum or a CHECK no longer lists: a statement that names one fails or finds nothing. */
function wordChange({ lifecycle }: MappingFingerprint, table: CatalogTable): string[] {
  const { column, words, declared } = lifecycle;
  const now = column === null ? undefined : table.words[column];
  if (!words || !declared || !now) return [];
  const used = new Set(Object.values(words).flat());
  return declared
    .filter((word) => used.has(word) && !now.includes(word))
    .map((word) => `${column} no longer has the word ${word}`);
}

function listChanges(was: StatusWords, now: StatusWords): string[] {
  const text = (words: readonly PendingWord[]) =>
    words.length === 0 ? "no word" : words.map((word) => word ?? "NULL").join(", ");
  return STATUS_LISTS.filter((list) => text(was[list]) !== text(now[list])).map(
    (list) => `the status for ${list} is ${text(now[list])}; it was ${text(was[list])}`,
  );
}

function teller(kind: string, column: string | null): string {
  return column === null ? `lifecycle ${kind}` : `lifecycle ${kind} by ${column}`;
}

function shortType(type: string): string {
  return type
    .replace(/^timestamp(\(\d\))? with time zone$/, "timestamptz$1")
    .replace(/^timestamp(\(\d\))? without time zone$/, "timestamp$1")
    .replace("character varying", "varchar");
}
