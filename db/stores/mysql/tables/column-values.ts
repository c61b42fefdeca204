import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { MappedColumn, TimeEncoding } from "#db/stores/port/mapping.ts";
import { inlined } from "#db/stores/shared/states/conditions.ts";
import { datetimeOf } from "../connection/instant.ts";
import { isUnsigned, kindOf } from "./column-kinds.ts";
import { fixedOffset } from "./zones.ts";

/** A source of columns: a table under an alias, or just its name. */
export interface Row {
  column(column: Pick<MappedColumn, "name">): SQL;
}

/** The server's clock: a DATETIME(6) in UTC, the same throughout a statement. */
export const NOW: SQL = sql`UTC_TIMESTAMP(6)`;

/** Microseconds of one unit of an epoch column. */
const MICROSECONDS = { s: "1000000", ms: "1000", us: "1", ns: "0.001" } as const;

/** Decodes a number; values come as texts. */
export function asNumber(value: SQL): SQL<number> {
  return sql<number>`${value}`.mapWith(Number);
}

/** `value IN (texts)`; false without texts. */
export function isAmong(value: SQLWrapper, texts: readonly string[]): SQL {
  if (texts.length === 0) return sql`FALSE`;
  return sql`${value} IN (${sql.join(
    texts.map((text) => sql`${text}`),
    sql`, `,
  )})`;
}

/** Decodes a condition; values come as texts. */
export function asFlag(condition: SQL): SQL<boolean> {
  return sql<boolean>`(${condition})`.mapWith((value) => Number(value) === 1);
}

/**
 * The bytes of a text in utf8mb4. Two texts are equal if their bytes are: the collation of the team's column would fold
 * case and accents, and may ignore spaces at the end.
 */
export function exact(text: SQL): SQL {
  return sql`CAST(${text} AS BINARY)`;
}

/**
 * The column as text in utf8mb4, exactly as stored; null without a column. Bytes are shown as a uuid if there are 16 of
 * them, and as hex otherwise.
 */
export function textOf(row: Row, column: MappedColumn | null | undefined): SQL<string | null> {
  if (!column) return sql`NULL`;
  const value = row.column(column);
  switch (kindOf(column.type)) {
    case "uuid-bytes":
      return uuidText(value);
    case "bytes":
      return sql`LOWER(HEX(${value}))`;
    case "text":
    case "words":
    case "json":
      return sql`CONVERT(${value} USING utf8mb4)`;
    case "integer":
      return /^bit\b/.test(column.type) ? sql`CAST(${value} + 0 AS CHAR)` : sql`CAST(${value} AS CHAR)`;
    default:
      return sql`CAST(${value} AS CHAR)`;
  }
}

/** BIN_TO_UUID is MySQL's alone. */
function uuidText(bytes: SQL): SQL<string | null> {
  return sql`INSERT(INSERT(INSERT(INSERT(LOWER(HEX(${bytes})), 9, 0, '-'), 14, 0, '-'), 19, 0, '-'), 24, 0, '-')`;
}

/** The first `most` characters. */
export function shortened(text: SQL, most: number): SQL<string | null> {
  return sql`LEFT(${text}, ${most})`;
}

/**
 * The column as DATETIME(6) in UTC, from any encoding. A number that is no time in its unit (before the year 1 or
 * after 9999) becomes null: one bad row must not fail a whole list.
 */
export function instantOf(row: Row, column: MappedColumn): SQL {
  const value = row.column(column);
  const time: TimeEncoding = column.time ?? { kind: "timestamptz" };
  switch (time.kind) {
    case "timestamptz":
      return value;
    case "timestamp":
      return fromZone(value, time.zone);
    case "epoch":
      return epochInstant(
        sql`(CASE WHEN ${value} >= ${startOf(time.unit)} AND ${value} <= ${endOf(time.unit)} THEN ${value} END)`,
        time.unit,
      );
    case "compact-text":
      return fromZone(compactDatetime(value), time.zone);
  }
}

/**
 * The same of a time until which something lasts or waits: a number beyond the year 9999 means never, as the greatest
 * number of a bigint does.
 */
export function deadlineOf(row: Row, column: MappedColumn): SQL {
  const { time } = column;
  if (time?.kind !== "epoch") return instantOf(row, column);
  return epochInstant(sql`GREATEST(0, LEAST(${row.column(column)}, ${endOf(time.unit)}))`, time.unit);
}

type Unit = keyof typeof MICROSECONDS;

function epochInstant(value: SQL, unit: Unit): SQL {
  return sql.join([EPOCH, sql` + INTERVAL (${value} * ${sql.raw(MICROSECONDS[unit])}) MICROSECOND`]);
}

const IN_A_SECOND = { s: 1n, ms: 1000n, us: 1_000_000n, ns: 1_000_000_000n } as const;

const GREATEST_BIGINT = 9_223_372_036_854_775_807n;

/** The last second of the year 9999 in these units, at most the greatest bigint. */
const endOf = (unit: Unit) => sql.raw(String(atMost(253_402_300_799n * IN_A_SECOND[unit])));
/** The first second of the year 1, likewise. */
const startOf = (unit: Unit) => sql.raw(String(-atMost(62_135_596_800n * IN_A_SECOND[unit])));
const atMost = (units: bigint) => (units < GREATEST_BIGINT ? units : GREATEST_BIGINT);

const EPOCH = sql`CAST('1970-01-01' AS DATETIME(6))`;

/**
 * A DATETIME of a zone, in UTC. Null if the server does not know the zone: see requireZones. On older servers
 * CONVERT_TZ does not convert times outside the years 1970 to 2038. A time that an offset would carry past the year
 * 9999 is not converted either, because it means "never".
 */
function fromZone(value: SQL, zone: string): SQL {
  const minutes = fixedOffset(zone);
  if (minutes === 0) return value;
  if (minutes === null) return sql`CONVERT_TZ(${value}, ${inlined(zone)}, '+00:00')`;
  return sql`coalesce(${value} - INTERVAL ${sql.raw(String(minutes))} MINUTE, ${value})`;
}

/** A DATETIME in UTC, in a zone. */
function toZone(instant: SQL, zone: string): SQL {
  const minutes = fixedOffset(zone);
  if (minutes === 0) return instant;
  if (minutes === null) return sql`CONVERT_TZ(${instant}, '+00:00', ${inlined(zone)})`;
  return sql`(${instant} + INTERVAL ${sql.raw(String(minutes))} MINUTE)`;
}

const COMPACT = "^[1-9][0-9]{3}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])([01][0-9]|2[0-3])[0-5][0-9][0-5][0-9]$";

/** Text that is no time (empty, cut, a word) becomes null: one bad row must not fail a whole list. */
function compactDatetime(value: SQL): SQL {
  const text = sql`CONVERT(${value} USING utf8mb4)`;
  return sql`(CASE WHEN LENGTH(${value}) = 14 AND ${text} REGEXP ${inlined(COMPACT)} THEN STR_TO_DATE(${text}, '%Y%m%d%H%i%s') END)`;
}

/** An RFC 3339 instant as a DATETIME(6) in UTC. Throws RangeError for another text. */
export function instantParameter(instant: string): SQL {
  return sql`CAST(${datetimeOf(instant)} AS DATETIME(6))`;
}

/**
 * A text as a literal that compares with the column in the column's own type, so that an index serves it. A text column
 * compares it under its own collation: see `exact`.
 */
export function comparable(column: Pick<MappedColumn, "type">, text: string): SQL {
  switch (kindOf(column.type)) {
    case "integer":
      return sql`CAST(${text} AS ${sql.raw(isUnsigned(column.type) ? "UNSIGNED" : "SIGNED")})`;
    case "decimal":
      return sql`CAST(${text} AS DECIMAL(65,30))`;
    case "float":
      return sql`(${text} + 0e0)`;
    case "uuid-bytes":
    case "bytes":
      return sql`UNHEX(${text.replaceAll("-", "")})`;
    case "uuid":
      return sql`CAST(${text} AS UUID)`;
    case "datetime":
      return sql`CAST(${text.replace("T", " ").replace(/Z$/, "")} AS DATETIME(6))`;
    case "date":
      return sql`CAST(${text} AS DATE)`;
    default:
      return sql`${text}`;
  }
}

/** A DATETIME(6) in UTC in the column's own encoding, for writing and for comparisons that use an index. */
export function encodeInstant(column: MappedColumn, instant: SQL): SQL {
  const time: TimeEncoding = column.time ?? { kind: "timestamptz" };
  switch (time.kind) {
    case "timestamptz":
      return instant;
    case "timestamp":
      return toZone(instant, time.zone);
    case "epoch":
      return epochOf(instant, { ...column, unit: time.unit });
    case "compact-text":
      return sql`DATE_FORMAT(${toZone(instant, time.zone)}, '%Y%m%d%H%i%s')`;
  }
}

/**
 * The current time, later by so many seconds, in the column's own encoding, cut to the digits that the column keeps:
 * MySQL would round it up to a time that has yet to come.
 */
export function currentValue(column: MappedColumn, plusSeconds = 0): SQL {
  const digits = /^(?:datetime|timestamp)(?:\((\d)\))?/.exec(column.type);
  const now = digits ? sql`UTC_TIMESTAMP(${sql.raw(digits[1] ?? "0")})` : NOW;
  return encodeInstant(column, plusSeconds === 0 ? now : sql`${now} + INTERVAL ${inlined(plusSeconds)} SECOND`);
}

/** Whole units for a column of whole numbers. */
function epochOf(instant: SQL, { type, unit }: { type: string; unit: keyof typeof MICROSECONDS }): SQL {
  const since = sql`TIMESTAMPDIFF(MICROSECOND, ${EPOCH}, ${instant})`;
  if (unit === "us") return since;
  if (unit === "ns") return sql`(${since} * 1000)`;
  return sql`(${since} ${sql.raw(kindOf(type) === "integer" ? "DIV" : "/")} ${sql.raw(MICROSECONDS[unit])})`;
}

/** A DATETIME; null for a zero date, to which nothing can be added. */
export function realInstant(instant: SQL): SQL {
  return sql`(${instant} + INTERVAL 0 SECOND)`;
}

/** A DATETIME in UTC as RFC 3339 text with microseconds; null, and a zero date, stay null. */
export function instantText(instant: SQL): SQL<string | null> {
  return sql`DATE_FORMAT(${realInstant(instant)}, '%Y-%m-%dT%H:%i:%s.%fZ')`;
}

/** A mapped time as text; null without a column. */
export function instantTextOf(row: Row, column: MappedColumn | null | undefined): SQL<string | null> {
  return column ? instantText(instantOf(row, column)) : sql`NULL`;
}

/** Seconds since an instant, with a fraction; negative for one to come. */
export function ageSeconds(instant: SQL): SQL<number | null> {
  return asNumber(sql`TIMESTAMPDIFF(MICROSECOND, ${instant}, ${NOW}) * 1e-6`);
}

/** A key column as text that `comparable` takes back unchanged. */
export function keyText(row: Row, column: MappedColumn): SQL<string> {
  if (kindOf(column.type) !== "datetime") return textOf(row, column) as SQL<string>;
  const zone = column.type.startsWith("timestamp") ? "Z" : "";
  return sql`DATE_FORMAT(${row.column(column)}, ${inlined(`%Y-%m-%dT%H:%i:%s.%f${zone}`)})`;
}

/** Attempts, null as 0. A non-null column is not wrapped, so that an index serves it. */
export function attemptsValue(row: Row, column: MappedColumn): SQL<number> {
  return column.nullable ? sql`coalesce(${row.column(column)}, 0)` : sql`${row.column(column)}`;
}
