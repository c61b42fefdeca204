import { sql } from "drizzle-orm";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { NumberedColumn } from "#domain/diagnosis/facts/table.ts";
import type { Session } from "../connection/session.ts";
import { quoteIdentifier, quoteTable } from "../tables/mapping-sql.ts";

const BITS: Record<string, bigint> = { tinyint: 8n, smallint: 16n, mediumint: 24n, int: 32n, bigint: 64n };

/** The table's AUTO_INCREMENT column, of which a table has one at most; none if it is no integer. */
export async function readNumberedColumns(session: Session, { mapping }: OutboxRef): Promise<NumberedColumn[]> {
  const { table } = mapping;
  const [row] = await session.rows(
    sql`SELECT c.column_name, c.data_type, c.column_type LIKE '%unsigned%', CAST(t.auto_increment AS CHAR), @@auto_increment_increment
      FROM information_schema.tables t
      JOIN information_schema.columns c ON c.table_schema = t.table_schema AND c.table_name = t.table_name
      WHERE t.table_schema = ${table.schema} AND t.table_name = ${table.name}
        AND CAST(t.table_schema AS BINARY) = ${table.schema} AND CAST(t.table_name AS BINARY) = ${table.name}
        AND c.extra LIKE '%auto_increment%'`,
  );
  if (!row) return [];
  const [column = "", type = "", unsigned, next, increment] = row;
  const bits = BITS[String(type)];
  if (bits === undefined) return [];
  const isUnsigned = Number(unsigned) === 1;
  const max = (1n << (isUnsigned ? bits : bits - 1n)) - 1n;
  const step = BigInt(Math.max(1, Number(increment)));
  // MySQL shows no counter until the table has been written to.
  const counter = { column: String(column), next: BigInt(next ?? 1), max, step };
  const left = await leftOf(session, mapping.table, counter);
  const wide = isUnsigned ? "bigint unsigned" : "bigint";
  return [
    {
      ...{ column: String(column), type: `${type}${isUnsigned ? " unsigned" : ""}`, left, total: Number(max / step) },
      ...{ counter: "AUTO_INCREMENT", limitedBy: "type" },
      widenStatement:
        type === "bigint"
          ? null
          : `ALTER TABLE ${quoteTable(table)} MODIFY ${quoteIdentifier(String(column))} ${wide} NOT NULL AUTO_INCREMENT`,
    },
  ];
}

interface Counter {
  column: string;
  next: bigint;
  max: bigint;
  step: bigint;
}

/**
 * MariaDB's counter goes one beyond the last number. MySQL's stays at it and gives it out again, which fails as long as
 * its row is there. Index: that of the column, which the server requires.
 */
async function leftOf(
  session: Session,
  table: OutboxRef["mapping"]["table"],
  { column, next, max, step }: Counter,
): Promise<number> {
  if (next > max) return 0;
  if (next === max) {
    const rows = await session.rows(
      sql.raw(`SELECT 1 FROM ${quoteTable(table)} WHERE ${quoteIdentifier(column)} = ${max} LIMIT 1`),
    );
    return rows.length > 0 ? 0 : 1;
  }
  return Number((max - next) / step) + 1;
}
