import { type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { published } from "#db/stores/shared/states/state-predicates.ts";
import { AppError } from "#domain/errors.ts";
import { errorCode } from "../connection/database-error.ts";
import { queryOn } from "../connection/query-on.ts";
import { instantOf, textOf } from "./column-values.ts";
import { arrayParameters, keyMatch } from "./message-key.ts";
import { outboxTable, regclass } from "./outbox-table.ts";

/** The exact image of a row. `json`, not `jsonb`: numbers and nested json keep their text. */
export function imageOf(mapping: OutboxMapping): SQL {
  return sql`row_to_json(${outboxTable(mapping).rows}.*)`;
}

/** Columns of dead_letter and archive that come from row `t` itself. */
export function summaryOfRow(mapping: OutboxMapping) {
  const { columns } = mapping;
  const outbox = outboxTable(mapping);
  const at = (column: keyof typeof columns) =>
    columns[column]?.time ? instantOf(outbox, columns[column]) : sql`NULL::timestamptz`;
  return {
    image: imageOf(mapping),
    aggregateType: textOf(outbox, columns.aggregateType),
    aggregateId: textOf(outbox, columns.aggregateId),
    eventType: textOf(outbox, columns.eventType),
    createdAt: at("createdAt"),
    publishedAt: sql`CASE WHEN ${published(outbox)} THEN ${at("publishedAt")} END`,
    payloadBytes: sql`octet_length(${outbox.column(columns.payload)}::text)`,
  };
}

interface WritableColumn {
  name: SQL;
  /** Its value from an image `r`. */
  restored: SQL;
}

/**
 * Columns that an INSERT may name: all but generated ones, in table order. An image cannot distinguish a json `null`
 * from SQL NULL; in a NOT NULL column it is a json `null`.
 */
export async function writableColumns(client: PoolClient, mapping: OutboxMapping): Promise<WritableColumn[]> {
  const { rows } = await queryOn(client).execute<{ name: string; json: boolean }>(
    sql`SELECT attname AS name, attnotnull AND atttypid IN ('json'::regtype, 'jsonb'::regtype) AS json FROM pg_attribute
     WHERE attrelid = ${regclass(mapping.table)} AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
  );
  return rows.map((row) => {
    const name = sql`${sql.identifier(row.name)}`;
    return { name, restored: row.json ? sql`coalesce(r.${name}, 'null')` : sql`r.${name}` };
  });
}

/** A comma-separated list. */
export function listOf(parts: readonly SQL[]): SQL {
  return sql.join([...parts], sql`, `);
}

/**
 * True if the rows of the keys can be restored unchanged from their images. Json with `\u0000` or a lone surrogate
 * cannot: Postgres stores it but cannot parse it again. Such a row must never leave its table.
 */
export async function imageSurvives(client: PoolClient, mapping: OutboxMapping, keys: string[][]): Promise<boolean> {
  const { table, rows } = outboxTable(mapping);
  const columns = await writableColumns(client, mapping);
  const restored = listOf(columns.map((column) => column.restored));
  const present = listOf(columns.map(({ name }) => sql`${rows}.${name}`));
  await client.query("SAVEPOINT image");
  try {
    const result = await queryOn(client).execute<{ same: boolean }>(
      sql`SELECT coalesce(bool_and(ROW(${restored})::text = ROW(${present})::text), true) AS same
       FROM ${table} ${rows}, json_populate_record(NULL::${table}, ${imageOf(mapping)}) r WHERE ${keyMatch(outboxTable(mapping), arrayParameters(keys))}`,
    );
    await client.query("RELEASE SAVEPOINT image");
    return result.rows[0]?.same ?? false;
  } catch (error) {
    // Class 22: the image cannot be read. Other errors do not answer the question.
    if (!errorCode(error)?.startsWith("22")) throw error;
    await client.query("ROLLBACK TO SAVEPOINT image");
    return false;
  }
}

/**
 * Restores the rows of images, identity columns with their old values, and compares the images of the written rows.
 * Throws conflict if an id exists again or the table no longer takes an image unchanged.
 */
export async function insertImages(
  client: PoolClient,
  mapping: OutboxMapping,
  images: readonly string[],
): Promise<void> {
  const columns = await writableColumns(client, mapping);
  const { table, rows } = outboxTable(mapping);
  const given = sql`${sql.param(images)}::text[]`;
  const inserted = await queryOn(client).execute<{ same: boolean }>(
    sql`INSERT INTO ${table} AS ${rows} (${listOf(columns.map(({ name }) => name))}) OVERRIDING SYSTEM VALUE
     SELECT ${listOf(columns.map(({ restored }) => restored))}
       FROM unnest(${given}) AS i(image), json_populate_record(NULL::${table}, i.image::json) r ON CONFLICT DO NOTHING
     RETURNING ${imageOf(mapping)}::text = ANY(${given}) AS same`,
  );
  if (inserted.rows.length < images.length)
    throw new AppError("conflict", "A message with the same id is in the outbox again: nothing was restored.");
  if (inserted.rows.some(({ same }) => !same)) {
    throw new AppError(
      "conflict",
      "The table has changed since: the row would not come back as it was, so nothing was restored.",
    );
  }
}
