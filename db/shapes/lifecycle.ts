import type { CatalogTable } from "../stores/port/catalog.ts";
import type { ColumnRole, MappedColumn, MarkedLifecycle } from "../stores/port/mapping.ts";
import type { MappingOverrides } from "./overrides.ts";
import { familyOf, statusLifecycle } from "./status-lifecycle.ts";

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
  const found = (lifecycle: MarkedLifecycle): FoundLifecycle => ({ lifecycle, missing: null });
  const kind = overrides.lifecycle?.kind ?? defaultKind(table, columns, overrides);
  switch (kind) {
    case "status":
      return columns.status ? found(statusLifecycle(columns.status, table, overrides)) : withoutColumn(table, kind);
    case "timestamp":
    case "flag": {
      const column = columns.publishedAt;
      if (!column) return withoutColumn(table, kind);
      const { unsetAs } = table.columns.find(({ name }) => name === column.name) ?? {};
      if (unsetAs !== undefined && !overrides.lifecycle?.kind) return undecided(table, column, unsetAs);
      const isFlag = isBoolean(table, column);
      return isFlag === (kind === "flag") ? found({ kind, column }) : ofAnotherType(table, kind, column);
    }
    case "unknown":
      return missing(`No column of ${nameOf(table)} shows whether a message was published.`);
    default:
      return found({ kind });
  }
}

function defaultKind(table: CatalogTable, columns: Columns, overrides: MappingOverrides): MarkedLifecycle["kind"] {
  if (columns.status) return "status";
  if (columns.publishedAt) return isBoolean(table, columns.publishedAt) ? "flag" : "timestamp";
  return overrides.unmarked ?? "unknown";
}

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
  const what = isBoolean(table, column)
    ? "so that it does not say which of them waits. If false means waiting, set lifecycle.kind to flag."
    : "which is no time of publication, so that a time there does not say that a row was published. If those rows were published, set lifecycle.kind to timestamp.";
  return missing(`Rows of ${nameOf(table)} have ${values} in ${column.name}, ${what}`);
}

function ofAnotherType(table: CatalogTable, kind: MarkedLifecycle["kind"], column: MappedColumn): FoundLifecycle {
  return missing(`lifecycle.kind is ${kind}, but ${column.name} of ${nameOf(table)} is ${column.type}.`);
}

function nameOf({ schema, name }: CatalogTable): string {
  return `${schema}.${name}`;
}
