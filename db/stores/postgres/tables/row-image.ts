import type { PoolClient } from "pg";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { AppError } from "#domain/errors.ts";
import { errorCode } from "../connection/database-error.ts";
import {
  columnSql,
  instantExpression,
  keyMatch,
  publishedPredicate,
  quoteIdentifier,
  quoteTable,
} from "./mapping-sql.ts";

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

interface WritableColumn {
  /** Quoted. */
  name: string;
  /** Its value out of an image `r`. */
  restored: string;
}

/**
 * Columns that an INSERT may name: all but generated ones, in table order. An image cannot tell a json `null` from no
 * value at all; where the column must have a value it was the former.
 */
export async function writableColumns(
  client: Pick<PoolClient, "query">,
  mapping: OutboxMapping,
): Promise<WritableColumn[]> {
  const result = await client.query<{ name: string; json: boolean }>(
    `SELECT attname AS name, attnotnull AND atttypid IN ('json'::regtype, 'jsonb'::regtype) AS json FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [quoteTable(mapping.table)],
  );
  return result.rows.map((row) => {
    const name = quoteIdentifier(row.name);
    return { name, restored: row.json ? `coalesce(r.${name}, 'null')` : `r.${name}` };
  });
}

/**
 * Whether the row of a key comes back from its image as it is. Json with `\u0000` or half a surrogate does not:
 * Postgres stores it and cannot take it apart again. Such a row must never leave its table.
 */
export async function imageSurvives(client: PoolClient, mapping: OutboxMapping, keys: string[][]): Promise<boolean> {
  const table = quoteTable(mapping.table);
  const columns = await writableColumns(client, mapping);
  const restored = columns.map((column) => column.restored).join(", ");
  const present = columns.map((column) => `t.${column.name}`).join(", ");
  await client.query("SAVEPOINT image");
  try {
    const result = await client.query<{ same: boolean }>(
      `SELECT coalesce(bool_and(ROW(${restored})::text = ROW(${present})::text), true) AS same
       FROM ${table} t, json_populate_record(NULL::${table}, ${ROW_IMAGE}) r WHERE ${keyMatch(mapping, "t", 1)}`,
      keys,
    );
    await client.query("RELEASE SAVEPOINT image");
    return result.rows[0]?.same ?? false;
  } catch (error) {
    // Class 22: the image cannot be read. Anything else is no answer to the question.
    if (!errorCode(error)?.startsWith("22")) throw error;
    await client.query("ROLLBACK TO SAVEPOINT image");
    return false;
  }
}

/**
 * Puts the row of an image back, identity columns with their old values, and compares the image of what was written.
 * Throws: conflict, when the id exists again or the table no longer takes the image as it was.
 */
export async function insertImage(client: PoolClient, mapping: OutboxMapping, image: string): Promise<void> {
  const columns = await writableColumns(client, mapping);
  const table = quoteTable(mapping.table);
  const inserted = await client.query<{ same: boolean }>(
    `INSERT INTO ${table} AS t (${columns.map((column) => column.name).join(", ")}) OVERRIDING SYSTEM VALUE
     SELECT ${columns.map((column) => column.restored).join(", ")} FROM json_populate_record(NULL::${table}, $1::text::json) r ON CONFLICT DO NOTHING
     RETURNING ${ROW_IMAGE}::text = $1::text AS same`,
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
