import type { ColumnRole } from "./mapping.ts";
import type { TypeFamily } from "./type-family.ts";

export interface CatalogColumn {
  name: string;
  /** Column number; a column dropped and added again gets another. */
  number: number;
  type: string;
  family: TypeFamily;
  /** Opaque key of the type, equal for equal types however `type` spells them. */
  typeKey: string;
  nullable: boolean;
  generated: boolean;
  identity: boolean;
  hasDefault: boolean;
  /** The default as SQL; null without one. */
  defaultSql: string | null;
  /** The database writes the current time into it with every change of the row. */
  onUpdate?: true;
  /** The team's comment on the column; absent without one. */
  comment?: string;
  /** For a number that is a time: its unit, from a bounded sample of rows; absent if none was found. */
  epochUnit?: "s" | "ms" | "us" | "ns";
  /** The number's name suggests a flag, but its values are times: `sent` with 0 or 1764000000. */
  holdsTimes?: true;
  /** For a number that could be a time: its default or its values are too small for one, so it is a duration. */
  isDuration?: true;
  /**
   * For the time or flag that marks a message as done: values that some unmarked rows have instead of NULL, such as
   * `0001-01-01`; absent if none were found.
   */
  unsetAs?: string;
  /** For a count of attempts: some rows have fewer than a new row. */
  hasFewer?: true;
}

export interface ColumnValues {
  /** As text, the most frequent first. */
  words: readonly string[];
  /** Some rows have NULL. */
  nulls: boolean;
}

/** A table that the configuration names. */
export interface NamedTable {
  /** As the configuration spells it. */
  table: string;
  as: "outbox" | "inbox";
  /** Columns that the configuration names, by role. */
  columns: Readonly<Partial<Record<ColumnRole, string>>>;
}

/** One table (or partitioned parent) as the catalog describes it. */
export interface CatalogTable {
  /** Opaque; changes if the table is dropped and created again. */
  key: string;
  schema: string;
  name: string;
  /** A configuration may name the table without its schema. */
  inDefaultSchema: boolean;
  columns: CatalogColumn[];
  primaryKey: string[];
  /** Column lists of unique indexes without a predicate or expression, primary key excluded. */
  uniqueKeys: string[][];
  indexes: { name: string; definition: string; predicate: string | null; columns: string[] }[];
  /** Words of enum types and of CHECK constraints of the form `col IN (...)`, by column. */
  words: Record<string, string[]>;
  /** Values of columns, from a bounded sample of rows; absent for a column that was not sampled. */
  values?: Readonly<Record<string, ColumnValues>>;
  /** Labels of codes, by column and code, from the table that the column refers to. */
  labels?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Columns whose values could not be sampled in time; absent without one. */
  unlooked?: readonly string[];
  /** Foreign keys. Absent where the engine has none. */
  references?: readonly { columns: readonly string[]; schema: string; name: string }[];
  /** The table's role by configuration, which overrides its name; absent where the configuration does not name it. */
  named?: Pick<NamedTable, "as" | "columns">;
  partitioned: boolean;
  /**
   * A table that inherits from this one: reads have its rows as well, and keys do not hold across both. Absent without
   * one.
   */
  inheritedBy?: string;
  /** The tables that this one inherits from, which show its rows as well. Absent without one, and of a partition. */
  inheritsFrom?: readonly { schema: string; name: string }[];
  /** True where the engine reads a row's state from one column alone. */
  singleMark?: true;
  /** Row level security hides rows from this session's user: reads may return only part of the table. */
  rowSecurity: boolean;
  /** The same for statements that read and change rows. */
  rowSecurityOnWrite: boolean;
  /** From the store's statistics, partitions included; -1 without statistics. */
  estimatedRows: number;
}

/**
 * Names by which a configuration may refer to the table: with its schema or, in the default schema, without; each
 * name plain or quoted.
 */
export function spellingsOf({
  schema,
  name,
  inDefaultSchema,
}: Pick<CatalogTable, "schema" | "name" | "inDefaultSchema">): string[] {
  const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`;
  const alone = inDefaultSchema ? [name, quoted(name)] : [];
  return [`${schema}.${name}`, `${quoted(schema)}.${quoted(name)}`, ...alone];
}
