import type { CatalogTable } from "../../port/catalog.ts";
import { quoteName } from "../connection/literal.ts";
import type { Rows } from "../connection/session.ts";

interface IndexPart {
  /** Null for an expression. */
  column: string | null;
  sql: string;
  /** Only the beginning of the column's values. */
  cut: boolean;
}

interface Index {
  name: string;
  unique: boolean;
  type: string;
  used: boolean;
  parts: IndexPart[];
}

/** Keys and indexes from the rows of `indexesSql`. */
export function indexesOf(
  table: Pick<CatalogTable, "schema" | "name">,
  rows: Rows,
): Pick<CatalogTable, "primaryKey" | "uniqueKeys" | "indexes"> {
  const indexes = collect(rows);
  const primary = indexes.find(({ name }) => name === "PRIMARY");
  const whole = ({ parts }: Index) => parts.every(({ column, cut }) => column !== null && !cut);
  const columns = ({ parts }: Index) => parts.map(({ column, sql }) => column ?? sql);
  return {
    primaryKey: primary && whole(primary) ? columns(primary) : [],
    uniqueKeys: indexes.filter((index) => index.unique && index !== primary && whole(index)).map(columns),
    // A full-text or spatial index serves none of our statements.
    indexes: indexes
      .filter(({ type, used }) => used && type === "BTREE")
      .map((index) => ({
        name: index.name,
        definition: definitionOf(table, index),
        predicate: null,
        columns: columns(index),
      })),
  };
}

function collect(rows: Rows): Index[] {
  const found = new Map<string, Index>();
  for (const [, , name, unique, column, expression, length, descending, type, used] of rows) {
    const known = found.get(name ?? "");
    const index = known ?? {
      name: name ?? "",
      unique: unique === "1",
      type: type ?? "",
      used: used === "1",
      parts: [],
    };
    if (!known) found.set(index.name, index);
    const of = column ? `${quoteName(column)}${length ? `(${length})` : ""}` : `(${expression ?? "?"})`;
    index.parts.push({
      column: column ?? null,
      sql: `${of}${descending === "1" ? " DESC" : ""}`,
      cut: Boolean(length),
    });
  }
  return [...found.values()];
}

function definitionOf({ schema, name }: Pick<CatalogTable, "schema" | "name">, { name: index, unique, parts }: Index) {
  const columns = parts.map(({ sql }) => sql).join(", ");
  const table = `${quoteName(schema)}.${quoteName(name)}`;
  return index === "PRIMARY"
    ? `ALTER TABLE ${table} ADD PRIMARY KEY (${columns})`
    : `CREATE ${unique ? "UNIQUE " : ""}INDEX ${quoteName(index)} ON ${table} (${columns})`;
}
