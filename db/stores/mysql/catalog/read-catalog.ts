import { labelsOf } from "#db/shapes/columns/code-labels.ts";
import type { CatalogColumn, CatalogTable } from "../../port/catalog.ts";
import { quoteText } from "../connection/literal.ts";
import type { Rows, Session } from "../connection/session.ts";
import { type CatalogScope, checksSql, columnsSql, indexesSql, referencesSql, tablesSql } from "./catalog-sql.ts";
import { indexesOf } from "./index-definitions.ts";
import { familyOf } from "./type-family.ts";
import { columnsThatHoldJson, wordsOfChecks, wordsOfEnum } from "./words.ts";

type Row = (string | null)[];

/** Tables of the databases that are searched. One round trip; reads only the catalog, never the tables themselves. */
export async function readCatalog(session: Session, scope: CatalogScope): Promise<CatalogTable[]> {
  const { server } = session;
  const checks = checksSql(scope, server);
  const statements = [tablesSql(scope), columnsSql(scope), indexesSql(scope, server), referencesSql(scope)];
  const results = await session.script([...statements, ...(checks ? [checks] : [])]);
  const [tables = [], columns = [], indexes = [], references = [], clauses = []] = results.map(({ rows }) => rows);
  const [ofColumns, ofIndexes, ofReferences, ofChecks] = [columns, indexes, references, clauses].map(byTable);
  return tables
    .filter(([schema, name]) => !isOwn(scope, schema ?? "", name ?? ""))
    .map((row) => {
      const key = keyOf(row);
      const rowsOf = (all: Map<string, Rows> | undefined) => all?.get(key) ?? [];
      const parts = { columns: rowsOf(ofColumns), indexes: rowsOf(ofIndexes), checks: rowsOf(ofChecks) };
      return { ...toTable(row, parts, scope), references: referencesOf(rowsOf(ofReferences)) };
    })
    .sort((a, b) => (keyText(a) < keyText(b) ? -1 : 1));
}

function isOwn({ place, database }: CatalogScope, schema: string, name: string): boolean {
  return "prefix" in place && schema === database && name.startsWith(place.prefix);
}

const keyText = ({ schema, name }: CatalogTable) => `${schema}\0${name}`;
const keyOf = ([schema, name]: Row) => `${schema}\0${name}`;

function byTable(rows: Rows): Map<string, Rows> {
  const found = new Map<string, Rows>();
  for (const row of rows) {
    const key = keyOf(row);
    const known = found.get(key);
    if (known) known.push(row);
    else found.set(key, [row]);
  }
  return found;
}

/** Foreign keys of one table. */
function referencesOf(rows: Rows): NonNullable<CatalogTable["references"]> {
  const keys = Map.groupBy(rows, ([, , constraint]) => constraint);
  return [...keys.values()].map((parts) => ({
    columns: parts.map(([, , , column]) => column ?? ""),
    schema: parts[0]?.[4] ?? "",
    name: parts[0]?.[5] ?? "",
  }));
}

/**
 * MySQL keeps no identity of a table or a column that outlives a change of the table: a table or a column that was
 * created again is recognised by its type alone.
 */
function toTable(
  [schema, name, rows, partitioned]: Row,
  parts: { columns: Rows; indexes: Rows; checks: Rows },
  scope: CatalogScope,
): CatalogTable {
  const table = { schema: schema ?? "", name: name ?? "" };
  const clauses = parts.checks.map(([, , clause]) => clause ?? "");
  const json = columnsThatHoldJson(clauses);
  const columns = parts.columns.map((row) => asCode(toColumn(row, json)));
  return {
    key: `${table.schema}.${table.name}`,
    ...table,
    inDefaultSchema: table.schema === scope.database,
    columns,
    ...indexesOf(table, parts.indexes),
    words: { ...wordsOfChecks(clauses), ...wordsOfEnum(columns) },
    partitioned: partitioned === "1",
    rowSecurity: false,
    rowSecurityOnWrite: false,
    estimatedRows: rows === null || rows === undefined ? -1 : Number(rows),
  };
}

/** MariaDB's JSON is a text with a check. */
function toColumn(row: Row, json: ReadonlySet<string>): CatalogColumn {
  const [, , name = "", printed = "", typeKey, nullable, generated, identity, fallback, computed, comment, onUpdate] =
    row;
  const type = printed === "longtext" && json.has(name ?? "") ? "json" : (printed ?? "");
  const family = familyOf(type, name ?? "");
  const defaultSql = defaultOf(fallback ?? null, computed === "1");
  return {
    name: name ?? "",
    number: 0,
    type,
    family,
    typeKey: typeKey ?? "",
    nullable: nullable === "1",
    generated: generated === "1",
    identity: identity === "1",
    hasDefault: defaultSql !== null,
    defaultSql,
    ...(onUpdate === "1" ? { onUpdate: true as const } : {}),
    ...(comment === null || comment === undefined ? {} : { comment }),
  };
}

/** `is_sent tinyint(1) COMMENT '0 not sent, 1 sending, 2 sent'` is no flag. */
function asCode(column: CatalogColumn): CatalogColumn {
  if (!column.type.startsWith("tinyint(1)") || column.comment === undefined) return column;
  const codes = Object.keys(labelsOf({ columns: [column] }, column.name) ?? {});
  return codes.some((code) => !["0", "1"].includes(code)) ? { ...column, family: "smallint" } : column;
}

/**
 * MariaDB prints a default as SQL, NULL included; MySQL prints a literal without its quotes. A number in quotes means
 * the same.
 */
function defaultOf(printed: string | null, computed: boolean): string | null {
  if (printed === null || printed === "NULL") return null;
  const isSql = computed || /^'|\(|^current_timestamp|^-?[0-9.]+$/i.test(printed);
  return isSql ? printed : quoteText(printed);
}
