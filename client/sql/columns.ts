import { ClientError } from "../errors.ts";
import { requireOneOf } from "../require-options.ts";
import type { Dialect } from "./adapter.ts";
import { quoteName, quoteTable } from "./names.ts";
import { type RawSql, raw, type Statement, sql } from "./statement.ts";

/**
 * How a column stores a value. `generated`: the database makes it. `enum`: an enumerated type, of any name. `timestamp`
 * is without a zone, in UTC; `compact-text` is `YYYYMMDDHHMMSS` in UTC; epochs are numbers since 1970.
 */
const COLUMN_TYPES = [
  "uuid",
  "text",
  "enum",
  "json",
  "jsonb",
  "integer",
  "bigint",
  "timestamptz",
  "timestamp",
  "epoch-ms",
  "epoch-s",
  "compact-text",
  "generated",
] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** A column by its exact name, and how it stores values where that is not the role's usual way. */
export type ColumnChoice = string | { name: string; type: ColumnType };

export interface Column {
  name: string;
  type: ColumnType;
}

/** The chosen columns; a role that is left out has none. */
export function chooseColumns<Role extends string>(
  choices: Partial<Record<Role, ColumnChoice>>,
  types: Readonly<Record<Role, ColumnType>>,
): Partial<Record<Role, Column>> {
  const columns: Partial<Record<Role, Column>> = {};
  for (const [role, choice] of Object.entries(choices) as [Role, ColumnChoice | null | undefined][]) {
    if (choice === undefined || choice === null) continue;
    if (!Object.hasOwn(types, role)) {
      const roles = Object.keys(types).join(", ");
      throw new ClientError(
        "invalid_input",
        `${role} is not a role that is written or read here; these are: ${roles}.`,
      );
    }
    if (typeof choice !== "string") requireOneOf(`The type of the column ${choice.name}`, choice.type, COLUMN_TYPES);
    columns[role] = typeof choice === "string" ? { name: choice, type: types[role] } : choice;
  }
  return columns;
}

export const nameOf = (column: Column, dialect: Dialect): RawSql => raw(quoteName(column.name, dialect));

const CAST_IN_POSTGRES: ReadonlySet<ColumnType> = new Set(["uuid", "json", "jsonb", "integer", "bigint"]);

/**
 * A text as a value of the column. In Postgres through text: some drivers encode a parameter by the type that the
 * server reports, and would encode a JSON text as JSON once more.
 */
export function valueSql(text: string | null, { type }: Column, dialect: Dialect): Statement {
  if (dialect === "mysql") return sql`${text}`;
  if (CAST_IN_POSTGRES.has(type)) return sql`CAST(CAST(${text} AS text) AS ${raw(type)})`;
  return sql`CAST(${text} AS text)`;
}

/** The same for an INSERT. Postgres takes the type of an `enum` from a row of the table, so nobody need name it. */
export function insertedSql(
  text: string | null,
  column: Column,
  { dialect, table }: { dialect: Dialect; table: string },
): Statement {
  if (dialect === "mysql" || column.type !== "enum") return valueSql(text, column, dialect);
  const member = sql`json_build_object(CAST(${column.name} AS text), CAST(${text} AS text))`;
  return sql`(json_populate_record(CAST(NULL AS ${quoteTable(table, dialect)}), ${member})).${nameOf(column, dialect)}`;
}

/**
 * A result as text. How a driver returns a number of eight bytes is a setting of the whole process, which any library
 * may change, and Prisma refuses all but one choice.
 */
export const textSql = (value: Statement | RawSql, dialect: Dialect): Statement =>
  sql`CAST(${value} AS ${raw(dialect === "mysql" ? "char" : "text")})`;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * `column = text` exactly, by the column's index. In MySQL most collations take `a`, `A`, `á` and `a ` for the same:
 * another message's id would be found. Only a UUID is the same in letters of either case.
 */
export function equalsSql(column: Column, text: string, dialect: Dialect): Statement {
  const name = nameOf(column, dialect);
  if (dialect === "postgres" && column.type === "enum") return sql`${textSql(name, dialect)} = CAST(${text} AS text)`;
  const equal = sql`${name} = ${valueSql(text, column, dialect)}`;
  if (dialect === "postgres") return equal;
  const stored = sql`CONVERT(${name} USING utf8mb4)`;
  const exact = UUID.test(text)
    ? sql`HEX(LOWER(${stored})) = HEX(CONVERT(${text.toLowerCase()} USING utf8mb4))`
    : sql`HEX(${stored}) = HEX(CONVERT(${text} USING utf8mb4))`;
  return sql`${equal} AND ${exact}`;
}

/** The database's time, `plusMs` later, as a value of the column. */
export function instantSql(column: Column, dialect: Dialect, plusMs = 0): Statement {
  return dialect === "mysql" ? mysqlInstant(column, plusMs) : postgresInstant(column, plusMs);
}

function postgresInstant({ type, name }: Column, plusMs: number): Statement {
  const at = sql`(clock_timestamp() + CAST(${plusMs} AS double precision) * interval '1 millisecond')`;
  switch (type) {
    case "timestamptz":
      return at;
    case "timestamp":
      return sql`(${at} AT TIME ZONE 'UTC')`;
    case "epoch-ms":
      return sql`CAST(floor(extract(epoch FROM ${at}) * 1000) AS bigint)`;
    case "epoch-s":
      return sql`CAST(floor(extract(epoch FROM ${at})) AS bigint)`;
    case "compact-text":
      return sql`to_char(${at} AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISS')`;
    default:
      throw noTime(name, type);
  }
}

/** The session's time zone plays no part: datetime columns are in UTC. */
function mysqlInstant({ type, name }: Column, plusMs: number): Statement {
  const at = sql`(UTC_TIMESTAMP(6) + INTERVAL ${Math.round(plusMs * 1000)} MICROSECOND)`;
  switch (type) {
    case "timestamptz":
    case "timestamp":
      return at;
    case "epoch-ms":
      return sql`(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', ${at}) DIV 1000)`;
    case "epoch-s":
      return sql`TIMESTAMPDIFF(SECOND, '1970-01-01', ${at})`;
    case "compact-text":
      return sql`DATE_FORMAT(${at}, '%Y%m%d%H%i%s')`;
    default:
      throw noTime(name, type);
  }
}

function noTime(name: string, type: ColumnType): ClientError {
  return new ClientError("invalid_input", `The column ${name} has the type ${type}, in which no time can be written.`);
}
