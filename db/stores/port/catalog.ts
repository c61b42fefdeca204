export interface CatalogColumn {
  name: string;
  /** Its place in the table; a column that is dropped and added again gets another. */
  number: number;
  type: string;
  /** The type as the catalog keeps it, however `type` spells it: equal for equal types, and opaque. */
  typeKey: string;
  nullable: boolean;
  generated: boolean;
  identity: boolean;
  hasDefault: boolean;
  /** The default as SQL; null without one. */
  defaultSql: string | null;
}

/** One table (or partitioned parent) as the catalog describes it. */
export interface CatalogTable {
  /** Another one after the table was dropped and created again; opaque. */
  key: string;
  schema: string;
  name: string;
  columns: CatalogColumn[];
  primaryKey: string[];
  /** Column lists of unique indexes without a predicate or expression, primary key excluded. */
  uniqueKeys: string[][];
  indexes: { name: string; definition: string; predicate: string | null; columns: string[] }[];
  /** Words of enum types and of CHECK constraints of the form `col IN (...)`, by column. */
  words: Record<string, string[]>;
  partitioned: boolean;
  /** Row level security hides rows from this session's user: what is read of the table may be a part of it. */
  rowSecurity: boolean;
  /** The same for reading and changing together. */
  rowSecurityOnWrite: boolean;
  /** By the store's statistics, partitions included; -1 where it has none. */
  estimatedRows: number;
}

/** How a configuration may name a table: with its schema or, in `public`, without; each name plain or quoted. */
export function spellingsOf({ schema, name }: Pick<CatalogTable, "schema" | "name">): string[] {
  const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`;
  const alone = schema === "public" ? [name, quoted(name)] : [];
  return [`${schema}.${name}`, `${quoted(schema)}.${quoted(name)}`, ...alone];
}
