import { type SQL, sql } from "drizzle-orm";
import type { MappedColumn, TableName } from "../../port/mapping.ts";
import type { NewValue, VerbRule } from "../../port/table-rules.ts";

export type SettingRule = Extract<VerbRule<MappedColumn, TableName>, { set: unknown }>;
export type MovingRule = Extract<VerbRule<MappedColumn, TableName>, { moveTo: unknown }>;

/** What an engine writes for a value that is not a text or a number. */
export interface ValueWriter {
  /** The current time, later by so many seconds, as the column stores it. */
  now(column: MappedColumn, plusSeconds: number): SQL;
  flag(value: boolean): SQL;
}

/** `SET` list of a library's action. */
export function changesOf({ set }: SettingRule, write: ValueWriter): SQL[] {
  return set.map(({ column, to }) => sql`${sql.identifier(column.name)} = ${valueFor(column, to, write)}`);
}

/** The columns of the other table, and their values from the row whose columns `ours` gives. */
export function movedValues(
  { values }: MovingRule,
  ours: (column: MappedColumn) => SQL,
  write: ValueWriter,
): { names: SQL; values: SQL } {
  const given = values.map(({ theirs, value }) =>
    typeof value === "object" && "column" in value ? ours(value.column) : valueFor(theirs, value, write),
  );
  return {
    names: sql.join(
      values.map(({ theirs }) => sql.identifier(theirs.name)),
      sql`, `,
    ),
    values: sql.join(given, sql`, `),
  };
}

function valueFor(column: MappedColumn, to: NewValue, write: ValueWriter): SQL {
  if (to === "null") return sql`NULL`;
  if (to === "now") return write.now(column, 0);
  if (to === "true" || to === "false") return write.flag(to === "true");
  if (to === "increment") return sql`coalesce(${sql.identifier(column.name)}, 0) + 1`;
  if ("word" in to) return sql`${to.word}`.inlineParams();
  return "number" in to ? sql`${to.number}`.inlineParams() : write.now(column, to.secondsFromNow);
}
