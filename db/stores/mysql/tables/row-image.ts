import { type SQL, sql } from "drizzle-orm";
import type { OutboxMapping, TableName } from "#db/stores/port/mapping.ts";
import { published } from "#db/stores/shared/states/state-predicates.ts";
import { listOf } from "#db/stores/shared/tables/list-of.ts";
import { AppError } from "#domain/errors.ts";
import { DUPLICATE_KEY, errorNumber, isConnectionError, isLockTimeout } from "../connection/database-error.ts";
import type { Session } from "../connection/session.ts";
import { instantOf, textOf } from "./column-values.ts";
import { codecOf, type ImageColumn } from "./image-codec.ts";
import { keyMatch } from "./message-key.ts";
import { outboxTable } from "./outbox-table.ts";

/**
 * An image is a row as JSON text: an object from column name to the value's text, null for NULL. Numbers, times (a
 * `timestamp` in UTC) and json keep their text, bytes are hex.
 */
export interface RowImage {
  /** The image of row `t`. */
  image: SQL;
  columns: ImageColumn[];
}

/** Reads the columns of the table. They stay as they are while the transaction has used the table. */
export async function readRowImage(session: Session, mapping: OutboxMapping): Promise<RowImage> {
  return rowImageOf(mapping, await readColumns(session, mapping.table));
}

function rowImageOf(mapping: OutboxMapping, columns: ImageColumn[]): RowImage {
  const { column } = outboxTable(mapping);
  const members = columns.map((one) => {
    const codec = codecOf(one);
    const value = column({ name: one.name });
    return sql`${one.name}, ${codec ? codec.encode(value) : sql`LOWER(HEX(${value}))`}`;
  });
  return { image: sql`JSON_OBJECT(${listOf(members)})`, columns };
}

async function readColumns(session: Session, { schema, name }: TableName): Promise<ImageColumn[]> {
  const rows = await session.rows(
    sql`SELECT column_name, data_type, character_set_name, extra FROM information_schema.columns
     WHERE table_schema = ${schema} AND table_name = ${name}
       AND CAST(table_schema AS BINARY) = ${schema} AND CAST(table_name AS BINARY) = ${name} ORDER BY ordinal_position`,
  );
  return rows.map(([column, type, charset, extra]) => ({
    name: column ?? "",
    type: (type ?? "").toLowerCase(),
    charset: charset ?? null,
    generated: /(VIRTUAL|STORED|PERSISTENT) GENERATED/i.test(extra ?? ""),
  }));
}

/** One column's text out of an image; null where the value was NULL or the image has no such column. */
export function imageText(image: SQL, column: string): SQL<string | null> {
  const value = sql`JSON_EXTRACT(${image}, ${`$.${JSON.stringify(column)}`})`;
  return sql`CASE WHEN JSON_TYPE(${value}) = 'NULL' THEN NULL ELSE JSON_UNQUOTE(${value}) END`;
}

/** Columns of dead_letter and archive that come from row `t` itself. */
export function summaryOfRow(mapping: OutboxMapping, image: SQL) {
  const { columns } = mapping;
  const outbox = outboxTable(mapping);
  const at = (column: keyof typeof columns) => (columns[column]?.time ? instantOf(outbox, columns[column]) : sql`NULL`);
  return {
    image,
    aggregateType: textOf(outbox, columns.aggregateType),
    aggregateId: textOf(outbox, columns.aggregateId),
    eventType: textOf(outbox, columns.eventType),
    createdAt: at("createdAt"),
    publishedAt: sql`CASE WHEN ${published(outbox)} THEN ${at("publishedAt")} END`,
    payloadBytes: sql`OCTET_LENGTH(${outbox.column(columns.payload)})`,
  };
}

/** Columns that an INSERT may name: all but generated ones, in table order. */
export function writableColumns({ columns }: RowImage): ImageColumn[] {
  return columns.filter(({ generated }) => !generated);
}

/** The longest image that can be read back: above, JSON functions give NULL. */
const LONGEST = sql`@@max_allowed_packet`;

/**
 * True if the rows of the keys can be restored unchanged from their images. A geometry, a date that no calendar has or
 * a row near the longest packet cannot. Such a row must never leave its table.
 */
export async function imageSurvives(
  session: Session,
  mapping: OutboxMapping,
  keys: readonly (readonly string[])[],
): Promise<boolean> {
  const rowImage = await readRowImage(session, mapping);
  const writable = writableColumns(rowImage);
  if (writable.length === 0 || writable.some((column) => codecOf(column) === null)) return false;
  const outbox = outboxTable(mapping);
  const byKey = keyMatch(outbox, keys);
  const values = writable.map(({ name }, index) => sql`${outbox.column({ name })} AS ${valueName(index)}`);
  // The LIMIT keeps the server from merging the subquery, which would rebuild the image for each column.
  const source = sql`(SELECT ${rowImage.image} AS image, ${listOf(values)} FROM ${outbox.table} ${outbox.rows} WHERE ${byKey} LIMIT 1000000) r`;
  const conditions = writable.map((column, index) => survives(column, valueName(index)));
  const whole = sql`r.image IS NOT NULL AND OCTET_LENGTH(r.image) < ${LONGEST} AND ${sql.join(conditions, sql` AND `)}`;
  // Naming every column fails for a user who may read only some: an image without the others would lose them.
  const every = sql`(SELECT * FROM ${outbox.table} LIMIT 0)`;
  try {
    const [row] = await session.rows(
      sql`SELECT COUNT(*) - COUNT(CASE WHEN ${whole} THEN 1 END) FROM ${source} WHERE NOT EXISTS (SELECT 1 FROM ${every} every_column)`,
    );
    return row?.[0] === "0";
  } catch (error) {
    // Any other error of the server means that the values cannot be read back.
    if (isConnectionError(error) || isLockTimeout(error) || errorNumber(error) === undefined) throw error;
    return false;
  }
}

const valueName = (index: number) => sql.raw(`v${index}`);

/** A value longer than a packet becomes null on the way. */
function survives(column: ImageColumn, value: SQL): SQL {
  const codec = codecOf(column);
  if (!codec) return sql`FALSE`;
  const text = imageText(sql`r.image`, column.name);
  const sameText = sql`(${text} IS NULL) = (${value} IS NULL) AND CAST(${text} AS BINARY) <=> CAST(${codec.encode(value)} AS BINARY)`;
  return codec.survives ? sql`(${sameText} AND (${value} IS NULL OR ${codec.survives(value, text)}))` : sameText;
}

interface ImageSource {
  image: SQL;
  /** FROM item and condition that give the images. */
  from: SQL;
  where: SQL;
  /** Condition over row `t` that selects the restored rows. */
  byKey: SQL;
  /** For several images: their number, and the condition that row `t` belongs to an image. */
  several?: { count: number; isItsOwn: SQL };
}

/**
 * Restores the rows of images, with their old values in an AUTO_INCREMENT column, and compares the images of the
 * written rows. A column that was added since gets its default. Throws conflict if an id exists again or the table no
 * longer takes an image unchanged.
 */
export async function insertImages(session: Session, mapping: OutboxMapping, source: ImageSource): Promise<void> {
  const { image, from, where, several } = source;
  const columns = await readColumns(session, mapping.table);
  const keys = sql`CAST(JSON_KEYS(${image}) AS CHAR)`;
  const sets = await session.rows(sql`SELECT DISTINCT ${keys} FROM ${from} WHERE ${where}`);
  let unchanged = 0;
  for (const [set] of sets) {
    const known = new Set<string>(JSON.parse(set ?? "[]") as string[]);
    const kept = columns.filter(({ name }) => known.has(name));
    // A column of the image is gone.
    if (kept.length < known.size) throw changed();
    const alike = sets.length === 1 ? where : sql`${where} AND ${keys} = ${set}`;
    unchanged += await insertAlike(session, mapping, { ...source, where: alike }, rowImageOf(mapping, kept));
  }
  if (unchanged !== (several?.count ?? 1)) throw changed();
}

function changed(): AppError {
  return new AppError(
    "conflict",
    "The table has changed since: the row would not come back as it was, so nothing was restored.",
  );
}

/** Restores images of the same columns; returns the number of rows that are as they were. */
async function insertAlike(
  session: Session,
  mapping: OutboxMapping,
  { image, from, where, byKey, several = { count: 1, isItsOwn: sql`TRUE` } }: ImageSource,
  rowImage: RowImage,
): Promise<number> {
  const writable = writableColumns(rowImage);
  const { table, rows } = outboxTable(mapping);
  const names = writable.map(({ name }) => sql`${sql.identifier(name)}`);
  const restored = writable.map((column) => codecOf(column)?.decode(imageText(image, column.name)) ?? sql`NULL`);
  await orConflict(() =>
    session.run(sql`INSERT INTO ${table} (${listOf(names)}) SELECT ${listOf(restored)} FROM ${from} WHERE ${where}`),
  );
  const same = sql`CAST(${rowImage.image} AS BINARY) = CAST(${image} AS BINARY)`;
  const [unchanged] = await session.rows(
    sql`SELECT COUNT(*) FROM ${table} ${rows} STRAIGHT_JOIN ${from} ON ${several.isItsOwn} WHERE ${byKey} AND ${where} AND ${same}`,
  );
  return Number(unchanged?.[0] ?? 0);
}

/** Runs an INSERT of a row that comes back. Throws conflict if its id, or another unique key of it, exists again. */
export async function orConflict(insert: () => Promise<unknown>): Promise<void> {
  try {
    await insert();
  } catch (error) {
    if (errorNumber(error) !== DUPLICATE_KEY) throw error;
    throw new AppError("conflict", "A message with the same id is in the outbox again: nothing was restored.");
  }
}
