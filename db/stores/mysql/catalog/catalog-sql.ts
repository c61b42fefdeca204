import type { ServerFacts } from "../connection/link.ts";
import { literalOf } from "../connection/literal.ts";
import type { OwnPlace } from "../connection/own-place.ts";
import { typeKeySql, typeSql } from "./type-key-sql.ts";

export interface CatalogScope {
  /** Databases to search; default: the database of the URL, or every one of the server if that names none. */
  schemas?: readonly string[] | undefined;
  /** The database of the URL. */
  database: string | null;
  /** Our own tables, which are left out. */
  place: OwnPlace;
}

const SYSTEM = ["information_schema", "mysql", "performance_schema", "sys"];
/** MySQL keeps CHECK constraints from this version on; before, it parses and ignores them. */
const CHECKS_FROM = 80016;
/** MySQL reports the expression of a functional index from this version on. */
const EXPRESSIONS_FROM = 80013;

/** Condition on a column that has a database's name. */
function searched({ schemas, database, place }: CatalogScope, column = "table_schema"): string {
  const own = "database" in place ? [place.database] : [];
  const names = schemas ?? (database === null ? null : [database]);
  const list = (words: readonly string[]) => words.map(literalOf).join(", ");
  const without = `${column} NOT IN (${list([...SYSTEM, ...own])})`;
  if (names === null) return without;
  return names.length === 0 ? "FALSE" : `${column} IN (${list(names)}) AND ${without}`;
}

/** Tables, partitioned tables and those whose earlier rows MariaDB keeps; no views, no temporary tables. */
export function tablesSql(scope: CatalogScope): string {
  return `SELECT table_schema, table_name, table_rows, COALESCE(create_options, '') LIKE '%partitioned%'
    FROM information_schema.tables WHERE table_type IN ('BASE TABLE', 'SYSTEM VERSIONED') AND ${searched(scope)}`;
}

export function columnsSql(scope: CatalogScope): string {
  return `SELECT table_schema, table_name, column_name, ${typeSql}, ${typeKeySql}, is_nullable = 'YES',
      COALESCE(generation_expression, '') <> '', extra LIKE '%auto_increment%', column_default, extra LIKE '%DEFAULT_GENERATED%', NULLIF(column_comment, ''), extra LIKE '%on update%'
    FROM information_schema.columns WHERE ${searched(scope)} ORDER BY table_schema, table_name, ordinal_position`;
}

/** One row for each column of an index, in its order. MySQL hides an index from its planner, MariaDB ignores one. */
export function indexesSql(scope: CatalogScope, { flavor, version }: ServerFacts): string {
  const expression = flavor === "mysql" && version >= EXPRESSIONS_FROM ? "expression" : "NULL";
  const used = flavor === "mysql" ? "is_visible = 'YES'" : "ignored = 'NO'";
  return `SELECT table_schema, table_name, index_name, non_unique = 0, column_name, ${expression}, sub_part, collation = 'D', index_type, ${used}
    FROM information_schema.statistics WHERE ${searched(scope)} ORDER BY table_schema, table_name, index_name, seq_in_index`;
}

/** One row for each column of a foreign key. */
export function referencesSql(scope: CatalogScope): string {
  return `SELECT table_schema, table_name, constraint_name, column_name, referenced_table_schema, referenced_table_name
    FROM information_schema.key_column_usage WHERE referenced_table_name IS NOT NULL AND ${searched(scope)}
    ORDER BY table_schema, table_name, constraint_name, ordinal_position`;
}

/** Null where the server keeps no checks. */
export function checksSql(scope: CatalogScope, { flavor, version }: ServerFacts): string | null {
  if (flavor === "mariadb")
    return `SELECT constraint_schema, table_name, check_clause FROM information_schema.check_constraints
      WHERE ${searched(scope, "constraint_schema")}`;
  if (version < CHECKS_FROM) return null;
  return `SELECT t.table_schema, t.table_name, c.check_clause FROM information_schema.table_constraints t
    JOIN information_schema.check_constraints c ON c.constraint_schema = t.constraint_schema AND c.constraint_name = t.constraint_name
    WHERE t.constraint_type = 'CHECK' AND ${searched(scope, "t.table_schema")}`;
}
