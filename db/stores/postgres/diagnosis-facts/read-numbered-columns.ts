import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { NumberedColumn } from "#domain/diagnosis/facts/table.ts";
import { quoteIdentifier, quoteTable } from "../tables/mapping-sql.ts";

/**
 * Columns with an identity or a default that takes the next value of a sequence. A default that computes with that
 * value is limited by the sequence alone, as is a column of another type than an integer. One that starts again from
 * its other end by CYCLE has no end. Reads the catalog by its indexes only.
 */
const COLUMNS_SQL = `
WITH numbered AS (
  SELECT a.attname, a.attidentity <> '' AS identity, format_type(a.atttypid, a.atttypmod) AS type, used.sequence,
    CASE WHEN used.plain THEN CASE a.atttypid WHEN 'int2'::regtype THEN 32767 WHEN 'int4'::regtype THEN 2147483647
      WHEN 'int8'::regtype THEN 9223372036854775807 END END::numeric AS type_max
  FROM pg_attribute a CROSS JOIN LATERAL (
    SELECT d.objid AS sequence, true AS plain FROM pg_depend d
    WHERE a.attidentity <> '' AND d.refclassid = 'pg_class'::regclass AND d.refobjid = a.attrelid AND d.refobjsubid = a.attnum
      AND d.classid = 'pg_class'::regclass AND d.deptype = 'i'
    UNION ALL
    SELECT d.refobjid, pg_get_expr(f.adbin, f.adrelid) ~ '^nextval\\(''[^'']+''::regclass\\)$'
    FROM pg_attrdef f JOIN pg_depend d ON d.classid = 'pg_attrdef'::regclass AND d.objid = f.oid AND d.refclassid = 'pg_class'::regclass
    WHERE a.attgenerated = '' AND f.adrelid = a.attrelid AND f.adnum = a.attnum
  ) used
  WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped
), ranges AS (
  SELECT n.*, s.seqincrement::numeric AS step, s.seqstart, s.seqcycle, s.seqmax < coalesce(type_max, 'Infinity') AS by_sequence_up,
    s.seqmin > coalesce(-type_max - 1, '-Infinity') AS by_sequence_down,
    least(s.seqmax, type_max) AS highest, greatest(s.seqmin, -type_max - 1) AS lowest,
    has_sequence_privilege(s.seqrelid, 'USAGE, SELECT') AS readable
  FROM numbered n JOIN pg_sequence s ON s.seqrelid = n.sequence
), counted AS (
  SELECT *, coalesce(CASE WHEN readable THEN pg_sequence_last_value(sequence) END, seqstart - step) AS last,
    CASE WHEN step > 0 THEN by_sequence_up ELSE by_sequence_down END AS by_sequence FROM ranges
)
SELECT attname AS "column", type, identity, sequence::regclass::text AS sequence, step < 0 AS falls, by_sequence,
  div(highest - lowest, abs(step))::float8 + 1 AS total,
  CASE WHEN readable THEN greatest(0, div(CASE WHEN step > 0 THEN highest - last ELSE last - lowest END, abs(step))) END::float8 AS "left"
FROM counted WHERE NOT (seqcycle AND by_sequence) ORDER BY attname`;

interface Row {
  column: string;
  type: string;
  identity: boolean;
  sequence: string;
  falls: boolean;
  by_sequence: boolean;
  total: number;
  left: number | null;
}

export async function readNumberedColumns(client: PoolClient, { mapping }: OutboxRef): Promise<NumberedColumn[]> {
  const table = quoteTable(mapping.table);
  const { rows } = await client.query<Row>(COLUMNS_SQL, [table]);
  return rows.map((row) => ({
    ...{ column: row.column, type: row.type, left: row.left, total: row.total },
    counter: row.sequence,
    limitedBy: row.by_sequence ? "counter" : "type",
    widenStatement: widening(table, row),
  }));
}

/** An identity's sequence gets the type of its column with it. */
function widening(table: string, row: Row): string | null {
  const sequence = `ALTER SEQUENCE ${row.sequence} AS bigint NO ${row.falls ? "MINVALUE" : "MAXVALUE"}`;
  if (row.by_sequence) return sequence;
  if (row.type === "bigint") return null;
  const column = `ALTER TABLE ${table} ALTER COLUMN ${quoteIdentifier(row.column)} TYPE bigint`;
  return row.identity ? column : `${column}; ${sequence}`;
}
