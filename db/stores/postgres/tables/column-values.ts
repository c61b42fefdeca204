import { type SQL, sql } from "drizzle-orm";
import type { MappedColumn, TimeEncoding } from "#db/stores/port/mapping.ts";
import { inlined } from "#db/stores/shared/states/conditions.ts";
import { castTo } from "../connection/dialect.ts";

/** A source of columns: a table under an alias, or just its name. */
export interface Row {
  column(column: Pick<MappedColumn, "name">): SQL;
}

const NOW: SQL = sql`clock_timestamp()`;

const PER_SECOND = { s: "1", ms: "1000", us: "1000000", ns: "1000000000" } as const;

/** The column as text, exactly as stored; null without a column. */
export function textOf(row: Row, column: MappedColumn | null | undefined): SQL<string | null> {
  return column ? sql`${row.column(column)}::text` : sql`NULL::text`;
}

/**
 * The first `most` characters. Checking the byte length first avoids that `left` counts characters: 2 ms per 1,000
 * error texts.
 */
export function shortened(text: SQL, most: number): SQL<string | null> {
  return sql`CASE WHEN octet_length(${text}) > ${most} THEN left(${text}, ${most}) ELSE ${text} END`;
}

/** The column as timestamptz, from any encoding. */
export function instantOf(row: Row, column: MappedColumn): SQL {
  const value = row.column(column);
  const time: TimeEncoding = column.time ?? { kind: "timestamptz" };
  switch (time.kind) {
    case "timestamptz":
      return value;
    case "timestamp":
      return sql`(${value} AT TIME ZONE ${time.zone})`.inlineParams();
    case "epoch":
      return epochInstant(value, column, PER_SECOND[time.unit]);
    case "compact-text":
      return compactInstant(value, time.zone);
  }
}

/**
 * A number beyond the year 9999 means never, as the greatest number of a bigint does, and has no text; one far below is
 * no time and becomes null. One bad row must not fail a whole list.
 */
function epochInstant(value: SQL, { type }: MappedColumn, perSecond: string): SQL {
  const at = sql`to_timestamp(${value}::double precision / ${sql.raw(perSecond)})`;
  if (type === "integer") return at;
  const end = sql.raw(String(253_402_300_800n * BigInt(perSecond)));
  return sql`(CASE WHEN ${value} >= ${end} THEN timestamptz 'infinity' WHEN ${value} > -${end} THEN ${at} END)`;
}

const COMPACT = String.raw`^[1-9]\d{3}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])[0-5]\d[0-5]\d$`;

/** Text that is no time (empty, cut, a word) becomes null: one bad row must not fail a whole list. */
function compactInstant(value: SQL, zone: string): SQL {
  const part = (from: number, length: number) => sql`substr(${value}, ${from}, ${length})::int`;
  const made = sql`make_timestamp(${part(1, 4)}, ${part(5, 2)}, 1, ${part(9, 2)}, ${part(11, 2)}, ${part(13, 2)}) + make_interval(days => ${part(7, 2)} - 1)`;
  return sql`(CASE WHEN ${value} ~ ${COMPACT} THEN (${made}) AT TIME ZONE ${zone} END)`.inlineParams();
}

/**
 * The type to which a text is cast for comparison with the column; without a length, because a cast to one cuts or
 * rounds.
 */
export function comparisonType(type: string): string {
  if (/^character\(\d+\)$/.test(type)) return "bpchar";
  return /^(character varying|numeric|time)/.test(type) ? type.replace(/\(\d+(,\d+)?\)/, "") : type;
}

/** A text cast for comparison with the column. */
export function comparable(column: MappedColumn, text: string): SQL {
  return sql`${text}::text${castTo(comparisonType(column.type))}`;
}

/** A timestamptz in the column's own encoding, for writing and for comparisons that use an index. */
export function encodeInstant(column: MappedColumn, instant: SQL): SQL {
  const time: TimeEncoding = column.time ?? { kind: "timestamptz" };
  switch (time.kind) {
    case "timestamptz":
      return instant;
    case "timestamp":
      return sql`((${instant}) AT TIME ZONE ${inlined(time.zone)})`;
    case "epoch":
      return sql`(extract(epoch FROM ${instant}) * ${sql.raw(PER_SECOND[time.unit])})${castTo(column.type)}`;
    case "compact-text":
      return sql`to_char((${instant}) AT TIME ZONE ${inlined(time.zone)}, 'YYYYMMDDHH24MISS')`;
  }
}

/**
 * The current time, later by so many seconds, in the column's own encoding, cut to the digits that the column keeps:
 * rounded up it would be a time that has yet to come.
 */
export function currentValue(column: MappedColumn, plusSeconds = 0): SQL {
  const { type, time } = column;
  const digits = Number(/^timestamp\((\d)\)/.exec(type)?.[1] ?? 6);
  const whole = digits < 3 || (time?.kind === "epoch" && time.unit === "s");
  const exact = digits === 6 && time?.kind !== "epoch";
  const now = plusSeconds === 0 ? NOW : sql`${NOW} + make_interval(secs => ${inlined(plusSeconds)})`;
  return encodeInstant(
    column,
    exact ? now : sql`date_trunc(${sql.raw(whole ? "'second'" : "'milliseconds'")}, ${now})`,
  );
}

/** A timestamptz as RFC 3339 text in UTC with microseconds; null stays null. */
export function instantText(instant: SQL): SQL<string | null> {
  return sql`to_char((${instant}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** A mapped time as text; null without a column, and of a time that RFC 3339 has no year for, such as infinity. */
export function instantTextOf(row: Row, column: MappedColumn | null | undefined): SQL<string | null> {
  if (!column) return sql`NULL::text`;
  const at = instantOf(row, column);
  const isBounded = column.time?.kind === "epoch" || column.time?.kind === "compact-text";
  if (isBounded) return instantText(at);
  return sql`CASE WHEN ${at} >= timestamptz '0001-01-01' AND ${at} < timestamptz '9999-12-31' THEN ${instantText(at)} END`;
}

/** Seconds since a timestamptz; null of an infinite one, from which Postgres before 17 cannot subtract. */
export function ageOf(instant: SQL): SQL<number | null> {
  return sql`CASE WHEN isfinite(${instant}) THEN extract(epoch FROM clock_timestamp() - ${instant})::float8 END`;
}

/** The greatest age, of instants that are finite. */
export function greatestAge(instants: SQL): SQL<number | null> {
  return sql`extract(epoch FROM clock_timestamp() - min(${instants}) FILTER (WHERE isfinite(${instants})))::float8`;
}

/** A key column as text that casts back to the same value, independent of the session's DateStyle and TimeZone. */
export function keyText(row: Row, column: MappedColumn): SQL<string> {
  const value = row.column(column);
  if (!column.type.startsWith("timestamp")) return sql`${value}::text`;
  const text = column.type.includes("with time zone")
    ? sql`to_char(${value} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
    : sql`to_char(${value}, 'YYYY-MM-DD"T"HH24:MI:SS.US')`;
  // to_char has no text for infinity, and leaves out BC.
  return sql`CASE WHEN ${value} >= '0001-01-01' AND ${value} < 'infinity' THEN ${text} ELSE ${value}::text END`;
}

/** Attempts as an int, as near as one comes: a number that is none (NaN, 1e30) must not fail a whole list. */
export function attemptsShown(row: Row, column: MappedColumn): SQL<number | null> {
  const value = row.column(column);
  if (column.type === "integer" || column.type === "smallint") return sql`${value}::int`;
  return sql`least(greatest(${value}, -2147483648), 2147483647)::int`;
}

/** Attempts, null as 0. A non-null column is not wrapped, so that an index on `attempts < 10` matches. */
export function attemptsValue(row: Row, column: MappedColumn): SQL<number> {
  return column.nullable ? sql`coalesce(${row.column(column)}, 0)` : sql`${row.column(column)}`;
}
