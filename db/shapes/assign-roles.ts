import type { CatalogColumn } from "../stores/port/catalog.ts";
import type { ColumnRole } from "../stores/port/mapping.ts";
import type { TypeFamily } from "../stores/port/type-family.ts";
import { normalise, ROLE_NAMES } from "./vocabulary.ts";

const TIMES: readonly TypeFamily[] = ["instant", "datetime", "bigint", "integer", "compact"];
const NUMBERS: readonly TypeFamily[] = ["smallint", "integer", "bigint", "decimal"];
const TEXTS: readonly TypeFamily[] = ["text", "compact"];
const NO_TEXTS: readonly TypeFamily[] = [
  "json",
  "binary",
  "instant",
  "datetime",
  "boolean",
  "uuid",
  "bigint",
  "integer",
  "decimal",
];
const NO_STATES: readonly TypeFamily[] = ["instant", "datetime", "json", "binary", "boolean"];

const isTime = isOf(TIMES);
const isNumber = isOf(NUMBERS);
const isText = ({ family }: CatalogColumn) => TEXTS.includes(family) || !NO_TEXTS.includes(family);

/** Whether a column's type can have the role. */
const FITS: Partial<Record<ColumnRole, (column: CatalogColumn) => boolean>> = {
  publishedAt: (column) => isTime(column) || column.family === "boolean",
  createdAt: isTime,
  availableAt: isTime,
  lockedUntil: isTime,
  expiresAt: isTime,
  attempts: isNumber,
  order: isNumber,
  lastError: (column) => column.family !== "boolean",
  status: (column) => !NO_STATES.includes(column.family),
  aggregateType: isText,
  eventType: isText,
  topic: isText,
  payload: isOf([...TEXTS, "json", "binary", "xml"]),
  headers: (column) => [...TEXTS, "json", "binary"].includes(column.family) || column.type === "hstore",
};

function isOf(families: readonly TypeFamily[]): (column: CatalogColumn) => boolean {
  return ({ family }) => families.includes(family);
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
  if (!roles.order && roles.id && ["bigint", "integer"].includes(roles.id.family)) roles.order = roles.id;
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
