import { type SQL, sql } from "drizzle-orm";

/** One column as information_schema describes it. */
export interface ImageColumn {
  name: string;
  /** `data_type`: the type without its length. */
  type: string;
  /** Of a text column. */
  charset: string | null;
  /** Computed from other columns: an INSERT must not name it. */
  generated: boolean;
}

/** How one column's value is kept as text, and comes back from it. */
export interface Codec {
  encode(value: SQL): SQL;
  decode(text: SQL): SQL;
  /** True if the value of this row comes back exactly from the text. Absent where every value does. */
  survives?(value: SQL, text: SQL): SQL;
}

const asText = (value: SQL) => sql`CAST(${value} AS CHAR)`;
const itself = (text: SQL) => text;

const NUMBER: Codec = { encode: asText, decode: itself };
const BIT: Codec = {
  encode: (value) => sql`CAST(${value} + 0 AS CHAR)`,
  decode: (text) => sql`CAST(${text} AS UNSIGNED)`,
};

/** A FLOAT prints six digits; as a double it prints all of them. The product keeps the sign of zero. */
const REAL: Codec = {
  encode: (value) => sql`CAST(${value} * 1e0 AS CHAR)`,
  decode: itself,
  survives: (value, text) => sql`${text} * 1e0 = ${value} * 1e0`,
};

/** A table that once allowed it may hold an impossible date, such as 31 February, which cannot be written again. */
const DATE: Codec = {
  encode: asText,
  decode: itself,
  survives: (value, text) => sql`CAST(${text} AS DATETIME(6)) <=> ${value}`,
};

const TIME: Codec = { ...DATE, survives: (value, text) => sql`CAST(${text} AS TIME(6)) <=> ${value}` };

const BYTES: Codec = { encode: (value) => sql`LOWER(HEX(${value}))`, decode: (text) => sql`UNHEX(${text})` };

/** An enum holds the empty word, number 0, if a wrong word was once stored cut; it cannot be written again. */
const WORD: Codec = { encode: textOfAny, decode: itself, survives: (value) => sql`${value} + 0 <> 0` };

/** MySQL's json has values that its text does not show, such as decimals and dates. */
const JSON_VALUE: Codec = {
  encode: asText,
  decode: itself,
  survives: (value, text) =>
    sql`CAST(${text} AS JSON) = ${value} AND ${bytes(sql`CAST(CAST(${text} AS JSON) AS CHAR)`)} = ${bytes(text)}`,
};

const UNICODE = new Set(["utf8mb4", "utf8mb3", "utf8", "ascii"]);

function textCodec(charset: string | null): Codec {
  if (charset === null || UNICODE.has(charset) || !/^\w+$/.test(charset)) return { encode: textOfAny, decode: itself };
  const back = (text: SQL) => sql`CONVERT(${text} USING ${sql.raw(charset)})`;
  return { encode: textOfAny, decode: itself, survives: (value, text) => sql`${bytes(back(text))} = ${bytes(value)}` };
}

/** CAST, because MariaDB treats the CONVERT of a json column as json and would nest it in the image. */
function textOfAny(value: SQL): SQL {
  return sql`CAST(${value} AS CHAR CHARACTER SET utf8mb4)`;
}

function bytes(value: SQL): SQL {
  return sql`CAST(${value} AS BINARY)`;
}

const CODECS: Record<string, Codec> = {
  ...ofAll(["tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "year"], NUMBER),
  ...ofAll(["float", "double"], REAL),
  ...ofAll(["date", "datetime", "timestamp"], DATE),
  ...ofAll(["binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob"], BYTES),
  ...ofAll(["uuid", "inet4", "inet6"], NUMBER),
  bit: BIT,
  time: TIME,
  enum: WORD,
  set: { encode: textOfAny, decode: itself },
  json: JSON_VALUE,
};

function ofAll(types: readonly string[], codec: Codec): Record<string, Codec> {
  return Object.fromEntries(types.map((type) => [type, codec]));
}

const TEXTS = new Set(["char", "varchar", "tinytext", "text", "mediumtext", "longtext"]);

/** Null for a type, such as a geometry, whose values do not come back from text. */
export function codecOf({ type, charset }: ImageColumn): Codec | null {
  return TEXTS.has(type) ? textCodec(charset) : (CODECS[type] ?? null);
}
