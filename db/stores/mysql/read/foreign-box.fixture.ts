import { randomUUID } from "node:crypto";
import { timeEncodingOf } from "#db/shapes/columns/time-encoding.ts";
import type { CatalogTable } from "#db/stores/port/catalog.ts";
import type { ColumnRole, Lifecycle, MappedColumn, OutboxMapping } from "#db/stores/port/mapping.ts";
import { fingerprintOf } from "#db/stores/port/mapping-fingerprint.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { OutboxStore, Store } from "#db/stores/port/store.ts";
import type { MysqlTestDatabase } from "#tests/mysql.ts";
import { openMysqlStore } from "../open-mysql-store.ts";

type Roles = Partial<Record<ColumnRole, string>> & { id: string; payload: string };
type LifecycleOf = (column: (name: string) => MappedColumn) => Lifecycle;

export interface ForeignTable {
  table: string;
  /** Columns by role. */
  roles: Roles;
  lifecycle: LifecycleOf;
  deadAttempts?: number;
  /** Of times without one. */
  zone?: string;
  /** How a column that has no time type holds a time. */
  times?: Partial<Record<ColumnRole, MappedColumn["time"]>>;
}

export interface ForeignBox {
  store: Store;
  mapping: OutboxMapping;
  ref: OutboxRef;
  outbox: OutboxStore;
}

const TIMES: readonly ColumnRole[] = ["createdAt", "publishedAt", "availableAt", "lockedUntil", "expiresAt"];

/** A table of the team's as the console opens it: columns as the catalog has them, its mapping accepted. */
export async function openForeignBox(database: MysqlTestDatabase, wanted: ForeignTable): Promise<ForeignBox> {
  const store = openMysqlStore({
    name: "shop",
    url: database.url,
    applicationName: "outbox-console foreign tables",
    own: database.own,
  });
  const table = await find(store, database.name, wanted.table);
  const mapping = mappingOf(table, wanted);
  const accepted = fingerprintOf(table, mapping);
  if (!accepted) throw new Error(`The catalog lacks columns of ${wanted.table}.`);
  const name = `orders ${randomUUID()}`;
  await store.records.keepFirstMapping({ outbox: name, fingerprint: accepted, by: "test" });
  const ref = {
    name,
    mapping,
    accepted,
    storeSide: true,
    maxAttempts: 3,
    estimatedRows: table.estimatedRows,
  };
  return { store, mapping, ref, outbox: store.outbox(ref) };
}

async function find(store: Store, schema: string, name: string): Promise<CatalogTable> {
  const { tables } = await store.catalog();
  const table = tables.find((one) => one.schema === schema && one.name === name);
  if (!table) throw new Error(`The catalog lacks ${schema}.${name}.`);
  return table;
}

function mappingOf(table: CatalogTable, { roles, lifecycle, deadAttempts, zone = "UTC", times = {} }: ForeignTable) {
  const column = (name: string, role?: ColumnRole): MappedColumn => {
    const found = table.columns.find((one) => one.name === name);
    if (!found) throw new Error(`${table.name} has no column ${name}.`);
    const time = role && (times[role] ?? (TIMES.includes(role) ? timeEncodingOf(found, zone) : undefined));
    const { type, nullable } = found;
    return { name, type, nullable, from: "config", ...(time ? { time } : {}) };
  };
  const columns = Object.entries(roles).map(([role, name]) => [role, column(name, role as ColumnRole)]);
  return {
    table: { schema: table.schema, name: table.name },
    primaryKey: table.primaryKey.map((name) => column(name)),
    columns: Object.fromEntries(columns) as OutboxMapping["columns"],
    lifecycle: lifecycle((name) => column(name)),
    deadAttempts: deadAttempts ?? null,
    archiveTable: null,
    shape: "configured",
  } satisfies OutboxMapping;
}

export const publishedAt: LifecycleOf = (column) => ({ kind: "timestamp", column: column("published_at") });
