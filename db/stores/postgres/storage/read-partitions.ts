import type { PoolClient } from "pg";
import type { TableName } from "#db/stores/port/mapping.ts";
import type { PartitionReading, PartitionUse } from "#db/stores/port/storage.ts";
import { quoteTable } from "../tables/mapping-sql.ts";

/** Ranges over one column of a time. Others (lists, hashes, several columns) are not managed here. */
const PARENT_SQL = `
SELECT a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type FROM pg_partitioned_table p JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
WHERE p.partrelid = $1::regclass AND p.partstrat = 'r' AND p.partnatts = 1 AND a.atttypid IN ('timestamptz'::regtype, 'timestamp'::regtype, 'date'::regtype)`;

const PARTITIONS_SQL = `
SELECT c.relname AS name, n.nspname AS schema, pg_total_relation_size(c.oid)::float8 AS bytes, nullif(greatest(c.reltuples, -1), -1)::float8 AS rows,
  i.inhdetachpending AS "isDetaching", bound.parts IS NULL AS "isDefault", bound.parts[1] AS "from", bound.parts[2] AS "to"
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_namespace n ON n.oid = c.relnamespace
CROSS JOIN LATERAL (SELECT regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \\((.+)\\) TO \\((.+)\\)') AS parts) bound
WHERE i.inhparent = $1::regclass`;

/** Postgres 13 has no pending detach. */
const PARTITIONS_13_SQL = PARTITIONS_SQL.replace('i.inhdetachpending AS "isDetaching"', 'false AS "isDetaching"');

export interface RangePartition extends PartitionUse {
  schema: string;
  fromMs: number | null;
  toMs: number | null;
}

export interface RangeTable {
  column: string;
  type: string;
  /** Earliest first; the default partition last. */
  partitions: RangePartition[];
  nowMs: number;
  managedBy: string | null;
}

/** Null for a table that is not partitioned by ranges of one time. */
export async function readRangeTable(client: PoolClient, table: TableName): Promise<RangeTable | null> {
  const name = quoteTable(table);
  const parents = await client.query<{ column: string; type: string }>(PARENT_SQL, [name]);
  const [parent] = parents.rows;
  if (!parent) return null;
  const version = await client.query<{ number: number; nowMs: number }>(
    "SELECT current_setting('server_version_num')::int AS number, extract(epoch FROM clock_timestamp())::float8 * 1000 AS \"nowMs\"",
  );
  const [server] = version.rows;
  const text = (server?.number ?? 0) >= 140_000 ? PARTITIONS_SQL : PARTITIONS_13_SQL;
  const { rows } = await client.query<Omit<RangePartition, "place" | "fromMs" | "toMs">>(text, [name]);
  const nowMs = server?.nowMs ?? Date.now();
  const partitions = rows
    .map((row) => ({ ...row, fromMs: instantOf(row.from), toMs: instantOf(row.to) }))
    .map((row) => ({ ...row, place: placeOf(row, nowMs) }))
    .toSorted((one, other) => startOf(one) - startOf(other));
  for (const rest of partitions.filter(({ isDefault }) => isDefault)) rest.rows = await countDefault(client, rest);
  return { ...parent, partitions, nowMs, managedBy: await managerOf(client, table) };
}

/** Rows of a default partition: 0 only if there is none, and otherwise the estimate. */
async function countDefault(client: PoolClient, { schema, name, rows }: RangePartition): Promise<number> {
  const found = await client.query(`SELECT FROM ${quoteTable({ schema, name })} LIMIT 1`);
  return found.rowCount === 0 ? 0 : Math.max(1, rows ?? 1);
}

function startOf({ isDefault, fromMs }: Pick<RangePartition, "isDefault" | "fromMs">): number {
  return isDefault ? Number.POSITIVE_INFINITY : (fromMs ?? Number.NEGATIVE_INFINITY);
}

/**
 * A bound as `'2026-01-01 00:00:00+00'`; null for MINVALUE, MAXVALUE and bounds that are not times. Sessions run in
 * UTC.
 */
function instantOf(bound: string | null): number | null {
  const text = bound?.match(/^'(.+)'$/)?.[1];
  if (text === undefined) return null;
  const ms = Date.parse(
    /[+-]\d\d(:?\d\d)?$/.test(text) && text.includes(":")
      ? text
      : `${text.replace(" ", "T")}${text.includes(":") ? "Z" : ""}`,
  );
  return Number.isNaN(ms) ? null : ms;
}

type Bounds = Pick<RangePartition, "isDefault" | "fromMs" | "toMs" | "from" | "to">;

function placeOf({ isDefault, fromMs, toMs }: Bounds, nowMs: number): PartitionUse["place"] {
  if (isDefault) return "default";
  if (toMs !== null && toMs <= nowMs) return "past";
  return fromMs !== null && fromMs > nowMs ? "ahead" : "current";
}

/** pg_partman has a row for each parent that it manages, as `schema.table`. */
async function managerOf(client: PoolClient, { schema, name }: TableName): Promise<string | null> {
  const config = await client.query<{ schema: string; readable: boolean }>(
    `SELECT n.nspname AS schema, has_table_privilege(c.oid, 'SELECT') AND has_schema_privilege(n.oid, 'USAGE') AS readable
     FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = 'part_config' WHERE e.extname = 'pg_partman'`,
  );
  const [found] = config.rows;
  if (!found) return null;
  if (!found.readable) return "pg_partman, perhaps: its configuration may not be read";
  const { rows } = await client.query(
    `SELECT 1 FROM "${found.schema.replaceAll('"', '""')}".part_config WHERE parent_table = $1`,
    [`${schema}.${name}`],
  );
  return rows.length > 0 ? "pg_partman" : null;
}

export function readingOf({ column, partitions, nowMs, managedBy }: RangeTable): PartitionReading {
  const { untilMs, ahead } = coverFrom(nowMs, partitions);
  const rest = partitions.find(({ isDefault }) => isDefault);
  return {
    column,
    partitions: partitions.map(({ name, from, to, bytes, rows, isDefault, isDetaching, place }) => ({
      ...{ name, from, to, bytes, rows, isDefault, isDetaching, place },
    })),
    ahead,
    runwaySeconds: untilMs === Number.POSITIVE_INFINITY ? null : (untilMs - nowMs) / 1000,
    defaultRows: rest ? (rest.rows ?? 0) : null,
    managedBy,
  };
}

/**
 * How far the partitions reach from now without a gap, and how many of them begin later than now. Where there is
 * nothing but a default partition, rows are meant to go there.
 */
function coverFrom(nowMs: number, partitions: readonly RangePartition[]): { untilMs: number; ahead: number } {
  if (partitions.length > 0 && partitions.every(({ isDefault }) => isDefault))
    return { untilMs: Number.POSITIVE_INFINITY, ahead: 0 };
  let [untilMs, ahead] = [nowMs, 0];
  for (const { isDefault, fromMs, toMs, place } of partitions) {
    if (isDefault || (fromMs ?? Number.NEGATIVE_INFINITY) > untilMs) break;
    untilMs = Math.max(untilMs, toMs ?? Number.POSITIVE_INFINITY);
    if (place === "ahead") ahead += 1;
  }
  return { untilMs, ahead };
}
