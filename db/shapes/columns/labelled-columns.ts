import type { CatalogColumn, CatalogTable, ColumnValues } from "../../stores/port/catalog.ts";
import { wordsOf } from "../words/name-words.ts";
import { readColumns } from "./looked-columns.ts";

/** The table that says what the codes of a status mean, and its columns of the code and of the word. */
export interface CodeList {
  table: CatalogTable;
  code: string;
  label: string;
}

export interface LabelledColumn {
  table: CatalogTable;
  column: string;
  list: CodeList;
}

const WORDS: readonly CatalogColumn["family"][] = ["text", "compact", "words"];
const CODES: readonly CatalogColumn["family"][] = ["smallint", "integer", "bigint", "text", "compact"];

/** Status columns that refer to a table of codes. */
export function labelledColumns(tables: readonly CatalogTable[]): LabelledColumn[] {
  return tables.flatMap((table) => {
    const status = (table.references ?? []).length > 0 ? readColumns(table)?.roles.status : undefined;
    const list = status && CODES.includes(status.family) ? codeListOf(table, status.name, tables) : null;
    return status && list ? [{ table, column: status.name, list }] : [];
  });
}

function codeListOf(table: CatalogTable, column: string, tables: readonly CatalogTable[]): CodeList | null {
  const key = table.references?.find(({ columns }) => columns.length === 1 && columns[0] === column);
  const list = tables.find(({ schema, name }) => schema === key?.schema && name === key.name);
  const [code, ...others] = list?.primaryKey ?? [];
  if (!list || list === table || code === undefined || others.length > 0) return null;
  const words = list.columns.filter(({ name, family }) => name !== code && WORDS.includes(family));
  const label = words.find(({ name }) => wordsOf(name).some(({ concepts }) => concepts.includes("name"))) ?? words[0];
  return label ? { table: list, code, label: label.name } : null;
}

/** Between a code and its word. */
export const LABELLED = "=";

/** The table with the words for the codes of a column. */
export function withLabels(table: CatalogTable, column: string, { words }: ColumnValues): CatalogTable {
  const pairs = words.map((word) => {
    const at = word.indexOf(LABELLED);
    return [word.slice(0, at), word.slice(at + 1).trim()] as const;
  });
  return pairs.length === 0 ? table : { ...table, labels: { ...table.labels, [column]: Object.fromEntries(pairs) } };
}
