import type { CatalogColumn } from "../stores/port/catalog.ts";
import type { ColumnRole } from "../stores/port/mapping.ts";
import { normalise, ROLE_NAMES } from "./vocabulary.ts";

const TIME_TYPE = /^(timestamp|bigint|integer|character varying\(14\)|character\(14\))/;
const NUMBER_TYPE = /^(smallint|integer|bigint|numeric)/;

/** Whether a column's type can have the role. */
const FITS: Partial<Record<ColumnRole, (column: CatalogColumn) => boolean>> = {
  publishedAt: (column) => TIME_TYPE.test(column.type) || column.type === "boolean",
  createdAt: (column) => TIME_TYPE.test(column.type),
  availableAt: (column) => TIME_TYPE.test(column.type),
  lockedUntil: (column) => TIME_TYPE.test(column.type),
  expiresAt: (column) => TIME_TYPE.test(column.type),
  attempts: (column) => NUMBER_TYPE.test(column.type),
  order: (column) => NUMBER_TYPE.test(column.type),
  lastError: (column) => column.type !== "boolean",
  status: (column) => !/^(timestamp|json|bytea|boolean)/.test(column.type),
  aggregateType: isText,
  eventType: isText,
  topic: isText,
  payload: (column) => /^(json|text|bytea|character varying|xml)/.test(column.type),
  headers: (column) => /^(json|text|bytea|hstore|character varying)/.test(column.type),
};

function isText(column: CatalogColumn): boolean {
  return (
    /^(text|character|name|citext)/.test(column.type) ||
    !/^(json|bytea|timestamp|boolean|uuid|bigint|integer|numeric)/.test(column.type)
  );
}

/**
 * Assigns at most one column to each role and one role to each column. Configured columns come first, then the
 * vocabulary in its order. An integer id without another order column also gets the role `order`.
 */
export function assignRoles(
  columns: readonly CatalogColumn[],
  configured: Partial<Record<ColumnRole, string>>,
): Partial<Record<ColumnRole, CatalogColumn>> {
  const roles: Partial<Record<ColumnRole, CatalogColumn>> = {};
  const taken = new Set<string>();
  for (const [role, name] of Object.entries(configured) as [ColumnRole, string][]) {
    const column = columns.find((candidate) => candidate.name === name);
    if (column) roles[role] = column;
    taken.add(name);
  }
  for (const [role, names] of ROLE_NAMES) {
    if (roles[role]) continue;
    const column = firstMatch(columns, names, taken, FITS[role]);
    if (!column) continue;
    roles[role] = column;
    taken.add(column.name);
  }
  if (!roles.order && roles.id && /^(bigint|integer)$/.test(roles.id.type)) roles.order = roles.id;
  return roles;
}

function firstMatch(
  columns: readonly CatalogColumn[],
  names: readonly string[],
  taken: ReadonlySet<string>,
  fits: ((column: CatalogColumn) => boolean) | undefined,
): CatalogColumn | undefined {
  for (const name of names) {
    const column = columns.find((candidate) => normalise(candidate.name) === name && !taken.has(candidate.name));
    if (column && (fits?.(column) ?? true)) return column;
  }
  return undefined;
}
