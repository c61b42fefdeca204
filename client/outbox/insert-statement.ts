import type { Dialect } from "../sql/adapter.ts";
import { type Column, insertedSql, instantSql, nameOf } from "../sql/columns.ts";
import { quoteTable } from "../sql/names.ts";
import { join, raw, type Statement, sql } from "../sql/statement.ts";
import type { OutboxLayout, OutboxRole } from "./layout.ts";
import type { NewMessage } from "./new-message.ts";

/**
 * Without strict mode MySQL and MariaDB cut off what is longer than its column, and write "" for a word that an enum
 * lacks: the event would be another one, or would never be sent. Each of the two reads the other's clause as a comment.
 */
const STRICT_INSERT =
  "/*M!100601 SET STATEMENT sql_mode = 'STRICT_ALL_TABLES' FOR */ " +
  // MySQL warns of strict mode without the other three.
  "INSERT /*+ SET_VAR(sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO') */ INTO";

/** `INSERT INTO … (…)`, and the list of values to come after it. The messages must fill the same columns. */
export interface Insert {
  into: Statement;
  values: Statement;
}

/** Whether both messages have values for the same columns. */
export function fillSameColumns(one: NewMessage, other: NewMessage): boolean {
  const filled = ({ aggregateId, topic, headers, traceId, delayMs }: NewMessage) =>
    [aggregateId, topic, headers, traceId, delayMs].map((value) => value !== null).join();
  return filled(one) === filled(other);
}

export function insertOf(layout: OutboxLayout, dialect: Dialect, messages: readonly NewMessage[]): Insert {
  const rows = messages.map((message) => valuesOf(layout, dialect, message));
  const names = (rows[0] ?? []).map(([column]) => sql`${nameOf(column, dialect)}`);
  const values = rows.map((row) => {
    const texts = row.map(([, value]) => value);
    return sql`(${join(texts, ", ")})`;
  });
  return {
    into: sql`${raw(dialect === "mysql" ? STRICT_INSERT : "INSERT INTO")} ${quoteTable(layout.table, dialect)} (${join(names, ", ")})`,
    values: sql`VALUES ${join(values, ", ")}`,
  };
}

/** Without the columns for which the message has nothing, so that they keep their defaults. */
function valuesOf(
  { table, columns, lifecycle }: OutboxLayout,
  dialect: Dialect,
  message: NewMessage,
): readonly [Column, Statement][] {
  const text = (role: OutboxRole, value: string | null): [Column, Statement][] => {
    const column = columns[role];
    if (!column || column.type === "generated" || value === null) return [];
    return [[column, insertedSql(value, column, { dialect, table })]];
  };
  const instant = (column: Column | undefined, plusMs: number | null): [Column, Statement][] =>
    column && plusMs !== null ? [[column, instantSql(column, dialect, plusMs)]] : [];
  return [
    ...text("id", message.id),
    ...text("aggregateType", message.aggregateType),
    ...text("aggregateId", message.aggregateId),
    ...text("eventType", message.type),
    ...text("topic", message.topic),
    ...text("payload", message.payload),
    ...text("headers", message.headers),
    ...text("traceId", message.traceId),
    ...(lifecycle?.pending[0] === null ? bare(columns.status) : text("status", lifecycle?.pending[0] ?? null)),
    ...instant(columns.createdAt, 0),
    ...instant(columns.availableAt, message.delayMs),
    ...(columns.attempts ? [[columns.attempts, sql`0`] as [Column, Statement]] : []),
  ];
}

/** A new row has no status, whatever the column's default is. */
const bare = (status: Column | undefined): [Column, Statement][] =>
  status && status.type !== "generated" ? [[status, sql`NULL`]] : [];
