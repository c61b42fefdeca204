import type { Pool, PoolClient } from "pg";
import type { CatalogColumn, CatalogTable } from "../../port/catalog.ts";
import { wordsOfCheck } from "./check-words.ts";
import { heirSql } from "./heir-sql.ts";
import { type Domain, readDomains } from "./read-domains.ts";
import { READ_COMMANDS, rowSecuritySql, WRITE_COMMANDS } from "./row-security-sql.ts";
import { type StoredColumn, typeKeyOf } from "./stored-fingerprint.ts";
import { familyOf } from "./type-family.ts";

type Queryable = Pick<Pool | PoolClient, "query">;

/**
 * Tables that somebody locks for a change, or waits to: to read an expression, or the partitions, takes a lock, which
 * would wait behind. pg_partition_root takes none.
 */
const IS_LOCKED = `c.oid IN (SELECT coalesce(pg_partition_root(l.relation)::oid, l.relation) FROM pg_locks l
  WHERE l.locktype = 'relation' AND l.mode = 'AccessExclusiveLock' AND l.pid <> pg_backend_pid()
    AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()))`;

const IS_WANTED = `c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence <> 't'
  AND n.nspname !~ '^pg_' AND n.nspname NOT IN ('information_schema', 'outbox_console', 'outbox_console_app')
  AND ($1::text[] IS NULL OR n.nspname = ANY($1))`;

const LOCKED_SQL = `SELECT c.oid::text AS key, n.nspname AS schema, c.relname AS name
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${IS_WANTED} AND ${IS_LOCKED}`;

/**
 * Tables and partitioned parents, without system schemas, our own, partitions and temporary tables. Reads
 * only the catalog, never the tables themselves. Leaves out the tables of $2.
 */
const CATALOG_SQL = `
SELECT c.oid::bigint::float8 AS oid, n.nspname AS schema, c.relname AS name, c.relkind = 'p' AS partitioned,
  ${rowSecuritySql(READ_COMMANDS)} AS "rowSecurity",
  ${rowSecuritySql(WRITE_COMMANDS)} AS "rowSecurityOnWrite",
  CASE WHEN c.relkind = 'p'
    THEN (SELECT coalesce(sum(greatest(k.reltuples, 0)), -1) FROM pg_partition_tree(c.oid) t JOIN pg_class k ON k.oid = t.relid WHERE t.isleaf)
    ELSE c.reltuples END::float8 AS "estimatedRows",
  CASE WHEN c.relkind = 'r' THEN (${heirSql("c.oid")}) END AS "inheritedBy",
  (SELECT json_agg(json_build_object('schema', pn.nspname, 'name', p.relname) ORDER BY i.inhseqno) FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhparent
    JOIN pg_namespace pn ON pn.oid = p.relnamespace WHERE i.inhrelid = c.oid) AS "inheritsFrom",
  (SELECT json_agg(json_build_object('name', a.attname, 'number', a.attnum, 'typeOid', a.atttypid::bigint, 'typeModifier', a.atttypmod, 'type', format_type(a.atttypid, a.atttypmod), 'nullable', NOT a.attnotnull,
      'comment', col_description(a.attrelid, a.attnum), 'generated', a.attgenerated <> '', 'identity', a.attidentity <> '', 'hasDefault', a.atthasdef,
      'defaultSql', (SELECT pg_get_expr(f.adbin, f.adrelid) FROM pg_attrdef f WHERE f.adrelid = a.attrelid AND f.adnum = a.attnum),
      'words', (SELECT json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = a.atttypid)) ORDER BY a.attnum)
    FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
  (SELECT json_agg(json_build_object('name', ic.relname, 'definition', pg_get_indexdef(i.indexrelid), 'primary', i.indisprimary,
      'unique', i.indisunique, 'valid', i.indisvalid, 'predicate', pg_get_expr(i.indpred, i.indrelid), 'expressions', i.indexprs IS NOT NULL,
      'columns', (SELECT json_agg(pg_get_indexdef(i.indexrelid, k, true) ORDER BY k) FROM generate_series(1, i.indnkeyatts) k)))
    FROM pg_index i JOIN pg_class ic ON ic.oid = i.indexrelid WHERE i.indrelid = c.oid) AS indexes,
  (SELECT json_agg(pg_get_constraintdef(k.oid)) FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'c') AS checks,
  (SELECT json_agg(json_build_object('schema', rn.nspname, 'name', rc.relname,
      'columns', (SELECT json_agg(a.attname ORDER BY u.place) FROM unnest(k.conkey) WITH ORDINALITY u(number, place)
        JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.number)))
    FROM pg_constraint k JOIN pg_class rc ON rc.oid = k.confrelid JOIN pg_namespace rn ON rn.oid = rc.relnamespace
    WHERE k.conrelid = c.oid AND k.contype = 'f' AND NOT rc.relispartition) AS "references"
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE ${IS_WANTED} AND c.oid <> ALL ($2::oid[])
ORDER BY n.nspname, c.relname`;

type ColumnType = Pick<StoredColumn, "typeOid" | "typeModifier">;

type ColumnRow = Omit<CatalogColumn, "typeKey" | "family" | "comment"> &
  ColumnType & { words: string[] | null; comment: string | null };

interface CatalogRow {
  oid: number;
  schema: string;
  name: string;
  partitioned: boolean;
  rowSecurity: boolean;
  rowSecurityOnWrite: boolean;
  estimatedRows: number;
  inheritedBy: string | null;
  inheritsFrom: { schema: string; name: string }[] | null;
  columns: ColumnRow[] | null;
  indexes:
    | {
        name: string;
        definition: string;
        primary: boolean;
        unique: boolean;
        valid: boolean;
        predicate: string | null;
        expressions: boolean;
        columns: string[] | null;
      }[]
    | null;
  checks: string[] | null;
  references: { schema: string; name: string; columns: string[] }[] | null;
}

/** Tables as they were last read, by key. */
export type CatalogMemory = Map<string, CatalogTable>;

/**
 * A table that is locked for a change is returned as it was last read, so that its lock does not hide what has changed
 * in the others. One that was not read before is waited for.
 */
export async function readCatalog(
  db: Queryable,
  schemas: string[] | undefined,
  memory: CatalogMemory = new Map(),
): Promise<CatalogTable[]> {
  const locked = memory.size === 0 ? [] : await readLocked(db, schemas, memory);
  const left = locked.map(({ key }) => key);
  const result = await db.query<CatalogRow>(CATALOG_SQL, [schemas ?? null, left]);
  const domains = await readDomains(db);
  const tables = [...locked, ...result.rows.map((row) => toTable(row, domains))];
  memory.clear();
  for (const table of tables) memory.set(table.key, table);
  return tables;
}

async function readLocked(db: Queryable, schemas: string[] | undefined, memory: CatalogMemory) {
  const { rows } = await db.query<Pick<CatalogTable, "key" | "schema" | "name">>(LOCKED_SQL, [schemas ?? null]);
  return rows.flatMap(({ key, schema, name }) => {
    const known = memory.get(key);
    return known ? [{ ...known, schema, name }] : [];
  });
}

function toTable(row: CatalogRow, domains: ReadonlyMap<number, Domain>): CatalogTable {
  const indexes = (row.indexes ?? []).filter((index) => index.valid);
  const plain = (columns: string[] | null) => (columns ?? []).map(unquote);
  const words: Record<string, string[]> = {};
  for (const { name, type, words: enumerated, typeOid } of row.columns ?? []) {
    const listed = enumerated ?? domains.get(typeOid)?.words ?? (type === "bit(1)" ? ["0", "1"] : undefined);
    if (listed) words[name] = listed;
  }
  for (const found of (row.checks ?? []).flatMap(wordsOfCheck)) words[found.column] = found.words;
  return {
    key: String(row.oid),
    schema: row.schema,
    name: row.name,
    inDefaultSchema: row.schema === "public",
    partitioned: row.partitioned,
    rowSecurity: row.rowSecurity,
    rowSecurityOnWrite: row.rowSecurityOnWrite,
    estimatedRows: row.estimatedRows,
    columns: (row.columns ?? []).map((column) => toColumn(column, domains)),
    primaryKey: plain(indexes.find((index) => index.primary)?.columns ?? null),
    uniqueKeys: indexes
      .filter((index) => index.unique && !index.primary && index.predicate === null && !index.expressions)
      .map((index) => plain(index.columns)),
    indexes: indexes.map((index) => ({
      name: index.name,
      definition: index.definition,
      predicate: index.predicate,
      columns: plain(index.columns),
    })),
    words,
    references: row.references ?? [],
    ...(row.inheritedBy === null ? {} : { inheritedBy: row.inheritedBy }),
    ...(row.inheritsFrom === null ? {} : { inheritsFrom: row.inheritsFrom }),
  };
}

/** A column of a domain gets the domain's base type and default. */
function toColumn(row: ColumnRow, domains: ReadonlyMap<number, Domain>): CatalogColumn {
  const { words: enumerated, typeOid, typeModifier, comment, ...plain } = row;
  const column = { ...plain, ...(comment === null ? {} : { comment }), ...noDefault(plain) };
  const domain = domains.get(typeOid);
  const typeKey = typeKeyOf({ typeOid, typeModifier });
  if (!domain) return { ...column, family: familyOf(column.type, enumerated !== null), typeKey };
  return {
    ...column,
    nullable: column.nullable && !domain.notNull,
    hasDefault: row.hasDefault ? column.hasDefault : domain.fallback !== null,
    defaultSql: row.hasDefault ? column.defaultSql : domain.fallback,
    family: familyOf(domain.base, domain.isEnum),
    typeKey,
  };
}

/** `DEFAULT NULL`, which Doctrine writes for every column that may be null, is kept as `NULL::timestamp`. */
function noDefault({ defaultSql }: Pick<ColumnRow, "defaultSql">) {
  return defaultSql !== null && /^NULL(::|$)/i.test(defaultSql) ? { hasDefault: false, defaultSql: null } : {};
}

function unquote(name: string): string {
  return name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
}
