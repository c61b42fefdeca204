import { type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { errorCode } from "#db/stores/shared/connection/driver-error.ts";
import { published } from "#db/stores/shared/states/state-predicates.ts";
import { listOf } from "#db/stores/shared/tables/list-of.ts";
import { AppError } from "#domain/errors.ts";
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

interface ImageColumn {
  key: string;
  name: SQL;
  /** Its value from an image `r`. */
  restored: SQL;
  generated: boolean;
}

/**
 * The table's columns, in their order. An image cannot distinguish a json `null` from SQL NULL; in a NOT NULL column it
 * is a json `null`.
 */
async function readColumns(client: PoolClient, mapping: OutboxMapping): Promise<ImageColumn[]> {
  const { rows } = await queryOn(client).execute<{ key: string; json: boolean; generated: boolean }>(
    sql`SELECT attname AS key, attnotnull AND atttypid IN ('json'::regtype, 'jsonb'::regtype) AS json, attgenerated <> '' AS generated
     FROM pg_attribute WHERE attrelid = ${regclass(mapping.table)} AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  );
  return rows.map(({ key, json, generated }) => {
    const name = sql`${sql.identifier(key)}`;
    return { key, name, restored: json ? sql`coalesce(r.${name}, 'null')` : sql`r.${name}`, generated };
  });
}

/** Columns that an INSERT may name: all but generated ones, in table order. */
export async function writableColumns(client: PoolClient, mapping: OutboxMapping): Promise<ImageColumn[]> {
  return (await readColumns(client, mapping)).filter(({ generated }) => !generated);
}

/**
 * True if the rows of the keys can be restored unchanged from their images. Json with `\u0000` or a lone surrogate
 * cannot: Postgres stores it but cannot parse it again. Nor can an hstore, which an image has as an object. Such a row
 * must never leave its table.
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
    // The image cannot be read: class 22, or the code of an extension's type that has none of its own. Other errors do
    // not answer the question.
    if (!UNREADABLE.test(errorCode(error) ?? "")) throw error;
    await client.query("ROLLBACK TO SAVEPOINT image");
    return false;
  }
}

const UNREADABLE = /^(22|XX000)/;

const CHANGED = "The table has changed since: the row would not come back as it was, so nothing was restored.";

/**
 * Restores the rows of images, identity columns with their old values, and compares the images of the written rows. A
 * column that was added since gets its default. Throws conflict if an id exists again or the table no longer takes an
 * image unchanged.
 */
export async function insertImages(
  client: PoolClient,
  mapping: OutboxMapping,
  images: readonly string[],
): Promise<void> {
  const columns = await readColumns(client, mapping);
  for (const [keys, alike] of Map.groupBy(images, keysOf)) {
    const known = new Set<string>(JSON.parse(keys) as string[]);
    const kept = columns.filter(({ key }) => known.has(key));
    // A column of the image is gone.
    if (kept.length < known.size) throw new AppError("conflict", CHANGED);
    await insertAlike(client, mapping, { images: alike, kept });
  }
}

/** The columns of an image, in any order. */
function keysOf(image: string): string {
  return JSON.stringify(Object.keys(JSON.parse(image) as Record<string, unknown>).sort());
}

/** `kept`: the columns of these images, in the table's order, which is that of the images. */
async function insertAlike(
  client: PoolClient,
  mapping: OutboxMapping,
  { images, kept }: { images: readonly string[]; kept: readonly ImageColumn[] },
): Promise<void> {
  const writable = kept.filter(({ generated }) => !generated);
  const { table, rows } = outboxTable(mapping);
  const given = sql`${sql.param(images)}::text[]`;
  const image = sql`(SELECT row_to_json(kept)::text FROM (SELECT ${listOf(kept.map(({ name }) => sql`${rows}.${name}`))}) kept)`;
  const inserted = await queryOn(client).execute<{ same: boolean }>(
    sql`INSERT INTO ${table} AS ${rows} (${listOf(writable.map(({ name }) => name))}) OVERRIDING SYSTEM VALUE
     SELECT ${listOf(writable.map(({ restored }) => restored))}
       FROM unnest(${given}) AS i(image), json_populate_record(NULL::${table}, i.image::json) r ON CONFLICT DO NOTHING
     RETURNING ${image} = ANY(${given}) AS same`,
  );
  if (inserted.rows.length < images.length)
    throw new AppError("conflict", "A message with the same id is in the outbox again: nothing was restored.");
  if (inserted.rows.some(({ same }) => !same)) throw new AppError("conflict", CHANGED);
}
