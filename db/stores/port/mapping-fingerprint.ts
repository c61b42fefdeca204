import type { CatalogColumn, CatalogTable } from "./catalog.ts";
import type { ColumnRole, Lifecycle, OutboxMapping, PendingWord, TableName } from "./mapping.ts";

export const STATUS_LISTS = ["pending", "inFlight", "failed", "published", "dead", "expired"] as const;
export type StatusWords = Record<Exclude<(typeof STATUS_LISTS)[number], "pending">, string[]> & {
  pending: PendingWord[];
};

export type FingerprintColumn = Pick<CatalogColumn, "name" | "type" | "number" | "typeKey">;

/**
 * The facts on which a mapping depends. While they are unchanged, rows mean the same as when a person accepted the
 * mapping.
 */
export interface MappingFingerprint {
  table: TableName;
  /** See CatalogTable. */
  key: string;
  primaryKey: FingerprintColumn[];
  /** Columns in use; other columns may change. */
  columns: Partial<Record<ColumnRole, FingerprintColumn>>;
  lifecycle: {
    kind: Lifecycle["kind"];
    column: string | null;
    words: StatusWords | null;
    /** Words that an enum or a CHECK listed; null without one. */
    declared: string[] | null;
    /** Slug of the library whose rules apply; absent without one. */
    library?: string;
  };
  /** Columns of a library's rules; absent without one. */
  ruled?: FingerprintColumn[];
  /** Names of all columns, to report which ones are new. */
  all: string[];
}

/** Null if the table lacks a column of the mapping. */
export function fingerprintOf(table: CatalogTable, mapping: OutboxMapping): MappingFingerprint | null {
  const { lifecycle } = mapping;
  const find = (name: string) => table.columns.find((column) => column.name === name);
  const used = lifecycle.kind === "rules" ? ruledColumns(lifecycle.columns, table) : {};
  const roles = Object.entries(mapping.columns).map(([role, { name }]) => [role, find(name)] as const);
  const primaryKey = mapping.primaryKey.map(({ name }) => find(name));
  if ([...roles.map(([, column]) => column), ...primaryKey].some((column) => column === undefined)) return null;
  const column = "column" in lifecycle ? lifecycle.column.name : null;
  return {
    table: mapping.table,
    key: table.key,
    primaryKey: primaryKey.flatMap((found) => (found ? [pick(found)] : [])),
    columns: Object.fromEntries(roles.flatMap(([role, found]) => (found ? [[role, pick(found)]] : []))),
    lifecycle: {
      kind: lifecycle.kind,
      column,
      words: lifecycle.kind === "status" ? wordsOf(lifecycle) : null,
      declared: (column === null ? undefined : table.words[column]) ?? null,
      ...(lifecycle.kind === "rules" || lifecycle.kind === "untold" ? { library: mapping.shape } : {}),
    },
    ...used,
    all: table.columns.map(({ name }) => name),
  };
}

/** Every column that the mapping uses, each once. */
export function columnsOf({ columns, primaryKey, ruled = [] }: MappingFingerprint): FingerprintColumn[] {
  return [
    ...new Map([...primaryKey, ...Object.values(columns), ...ruled].map((column) => [column.name, column])).values(),
  ];
}

export function wordsOf(lifecycle: Extract<Lifecycle, { kind: "status" }>): StatusWords {
  const { pending, inFlight, failed, published, dead, expired } = lifecycle;
  return { pending, inFlight, failed, published, dead, expired };
}

function ruledColumns(columns: readonly { name: string }[], table: CatalogTable): { ruled: FingerprintColumn[] } {
  return { ruled: columns.flatMap(({ name }) => table.columns.filter((column) => column.name === name).map(pick)) };
}

function pick({ name, type, number, typeKey }: CatalogColumn): FingerprintColumn {
  return { name, type, number, typeKey };
}
