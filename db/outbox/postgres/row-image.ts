import type { PoolClient } from "pg";
import { AppError } from "#domain/errors.ts";
import type { OutboxMapping } from "../mapping.ts";
import { columnSql, instantExpression, publishedPredicate, quoteIdentifier, quoteTable } from "./mapping-sql.ts";

/** The exact image of row `t`. `json`, not `jsonb`: numbers and nested json keep their text. */
export const ROW_IMAGE = "row_to_json(t.*)";

/** Summary columns of dead_letter and archive that come from the row itself, as `name: SQL over t`. */
export function summaryOfRow(mapping: OutboxMapping): Record<string, string> {
  const { columns } = mapping;
  const text = (column: keyof typeof columns) =>
    columns[column] ? `${columnSql(columns[column], "t")}::text` : "NULL::text";
  const at = (column: keyof typeof columns) =>
    columns[column]?.time ? instantExpression(columns[column], "t") : "NULL::timestamptz";
  return {
    image: ROW_IMAGE,
    aggregate_type: text("aggregateType"),
    aggregate_id: text("aggregateId"),
    event_type: text("eventType"),
    created_at: at("createdAt"),
    published_at: `CASE WHEN ${publishedPredicate(mapping, "t")} THEN ${at("publishedAt")} END`,
    payload_bytes: `octet_length(${columnSql(columns.payload, "t")}::text)`,
  };
}

/** Columns that an INSERT may name: all but generated ones, in table order. */
export async function writableColumns(client: Pick<PoolClient, "query">, mapping: OutboxMapping): Promise<string[]> {
  const result = await client.query<{ name: string }>(
    "SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum",
    [quoteTable(mapping.table)],
  );
  return result.rows.map((row) => row.name);
}

/**
 * Puts the row of an image back, identity columns with their old values, and compares the image of what was written.
 * Throws: conflict, when the id exists again or the table no longer takes the image as it was.
 */
export async function insertImage(client: PoolClient, mapping: OutboxMapping, image: string): Promise<void> {
  const columns = (await writableColumns(client, mapping)).map(quoteIdentifier).join(", ");
  const table = quoteTable(mapping.table);
  const inserted = await client.query<{ same: boolean }>(
    `INSERT INTO ${table} AS t (${columns}) OVERRIDING SYSTEM VALUE
     SELECT ${columns} FROM json_populate_record(NULL::${table}, $1::json) ON CONFLICT DO NOTHING
     RETURNING ${ROW_IMAGE}::text = $1 AS same`,
    [image],
  );
  const [row] = inserted.rows;
  if (!row) throw new AppError("conflict", "A message with the same id is in the outbox again: nothing was restored.");
  if (!row.same) {
    throw new AppError(
      "conflict",
      "The table has changed since: the row would not come back as it was, so nothing was restored.",
    );
  }
}
