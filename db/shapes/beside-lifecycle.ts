import type { CatalogTable } from "../stores/port/catalog.ts";
import type { ColumnRole, MappedColumn, MarkedLifecycle, OutboxMapping, StatusMark } from "../stores/port/mapping.ts";
import { attemptsLimitOf, claimMarksOf, rowMarksOf } from "./row-marks.ts";

interface Read {
  lifecycle: MarkedLifecycle;
  columns: Partial<Record<ColumnRole, MappedColumn>>;
  deadAttempts: number | null;
  zone: string;
}

/**
 * What columns without a role add to a lifecycle: the row's own limit of attempts, and beside a status that a row was
 * given up or withdrawn, and by which a publisher held it. A row that a retry makes new has none of these, nor a published
 * time. Writes the marks into the lifecycle.
 */
export function besideLifecycle(table: CatalogTable, read: Read): Pick<OutboxMapping, "attemptsLimit" | "resets"> {
  if (table.singleMark) return {};
  const limit = read.deadAttempts === null ? attemptsLimitOf(table, read.columns, read.zone) : null;
  const { marks, resets } = besideStatus(table, read);
  if (read.lifecycle.kind === "status" && marks.length > 0) read.lifecycle.marks = marks;
  return { ...(limit ? { attemptsLimit: limit } : {}), ...(resets.length > 0 ? { resets } : {}) };
}

function besideStatus(table: CatalogTable, { lifecycle, columns, zone }: Read) {
  if (lifecycle.kind !== "status") return { marks: [], resets: [] };
  const used = { ...columns, status: lifecycle.column };
  const marks = rowMarksOf(table, used, zone).flatMap(({ kind, ...mark }) =>
    kind === "failed" ? [] : [{ kind, ...mark }],
  );
  const held = claimMarksOf(table, { ...used, ...named(marks) }, zone);
  const ended = marks.filter(({ kind }) => kind === "dead");
  const { publishedAt } = columns;
  const sent = publishedAt?.time && publishedAt.nullable ? [{ column: publishedAt, to: "null" as const }] : [];
  return { marks, resets: [...[...ended, ...held].map(({ column, cleared }) => ({ column, to: cleared })), ...sent] };
}

/** Columns that have been taken, as if each had a role. */
function named(marks: readonly StatusMark[]): Record<string, MappedColumn> {
  return Object.fromEntries(marks.map(({ column }) => [column.name, column]));
}
