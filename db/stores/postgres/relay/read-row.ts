import type { MappedColumn } from "#db/stores/port/mapping.ts";
import { AT_ONCE_MS, type OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { joinKey } from "#db/stores/shared/relay/join-key.ts";
import { mostAttempts } from "#db/stores/shared/relay/most-attempts.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import { columnSql, encodeInstant, instantExpression, quoteIdentifier } from "../tables/mapping-sql.ts";
import { messageId, type StatementContext } from "./relay-context.ts";
import type { ReadPoint } from "./row-version.ts";

/** The transaction that wrote the row. */
export const WRITER = "outbox_console_xmin";

/** Select list of a subquery over row `o`, whose rows a reader with versions reads. */
export const VERSIONED = `o.*, o.xmin AS ${WRITER}`;

export interface RowReader {
  /** Select list over the row `o`; every column is text. */
  columns: string[];
  /** `point`: of the read; without it the row cannot be distinguished from a later one of its key. */
  read(row: readonly (string | null)[], point?: ReadPoint): OutgoingMessage;
  /** Place of the writer among the columns; -1 without versions. */
  writer: number;
}

/**
 * The columns a claim selects and how they become a message. A value with two roles is sent once, and JavaScript
 * assembles what it can: both matter at 50,000 rows a second. `versions`: the rows have `VERSIONED`.
 */
export function rowReader(
  context: Pick<StatementContext, "mapping" | "lanes" | "fields">,
  versions = false,
): RowReader {
  const { mapping, lanes } = context;
  const roles = mapping.columns;
  const columns: string[] = [];
  const select = (sql: string): number => {
    const known = columns.indexOf(sql);
    return known >= 0 ? known : columns.push(sql) - 1;
  };
  const text = (column: MappedColumn | undefined) => (column ? select(`${columnSql(column, "o")}::text`) : -1);

  const binary = roles.payload.type === "bytea";
  const payloadKind = binary ? "binary" : /^jsonb?$/.test(roles.payload.type) ? "json" : "text";
  const id = select(messageId(mapping));
  const event = text(roles.id);
  const aggregateType = text(roles.aggregateType);
  const aggregateId = text(roles.aggregateId);
  const eventType = text(roles.eventType);
  const topic = text(roles.topic);
  const headers = text(roles.headers);
  const payload = select(
    binary
      ? `translate(encode(${columnSql(roles.payload, "o")}, 'base64'), E'\\n', '')`
      : `${columnSql(roles.payload, "o")}::text`,
  );
  const created = roles.createdAt ? select(`${instantExpression(roles.createdAt, "o")}::text`) : -1;
  const order = text(orderColumn(mapping));
  const scheduled = roles.availableAt ? select(`(${scheduledSql(roles.availableAt, roles.createdAt)})::text`) : -1;
  const attempts = text(roles.attempts);
  const most = text(mapping.attemptsLimit);
  const fields = Object.entries(context.fields).map(
    ([name, column]) => [name, select(`o.${quoteIdentifier(column)}::text`)] as const,
  );
  const writer = versions ? select(`o.${WRITER}::text`) : -1;

  const typeOf = repeated();
  const eventTypeOf = repeated();
  return {
    columns,
    writer,
    read(row, point) {
      const value = (index: number) => (index < 0 ? null : (row[index] ?? null));
      const type = typeOf(value(aggregateType));
      const aggregate = value(aggregateId);
      const eventId = value(event) ?? "";
      // Without spreads, which make objects that are slow to build and to read.
      const message: OutgoingMessage = {
        id: value(id) ?? "",
        eventId,
        aggregateKey: lanes ? joinKey(aggregateType >= 0, type, aggregate) : null,
        aggregateType: type,
        aggregateId: aggregate,
        eventType: eventTypeOf(value(eventType)),
        topic: value(topic),
        headers: value(headers),
        payload: value(payload),
        payloadKind,
        createdAt: created < 0 ? null : toRfc3339(value(created)),
        scheduled: value(scheduled) === "true",
        order: [value(order) ?? "", eventId],
        attempts: attempts < 0 ? 0 : Number(value(attempts) ?? 0),
      };
      if (point && writer >= 0) message.version = point.versionOf(value(writer));
      if (fields.length > 0) message.fields = Object.fromEntries(fields.map(([name, at]) => [name, value(at)]));
      return most < 0 ? message : Object.assign(message, mostAttempts(value(most)));
    },
  };
}

/** SQL: `OutgoingMessage.scheduled` of row `o`. */
export function scheduledSql(availableAt: MappedColumn, createdAt: MappedColumn | undefined): string {
  const column = columnSql(availableAt, "o");
  if (!createdAt) return `${column} IS NOT NULL`;
  const atOnce = `(${instantExpression(createdAt, "o")} + ${AT_ONCE_MS} * interval '1 ms')`;
  return `coalesce(${column} > ${encodeInstant(availableAt, atOnce)}, ${column} IS NOT NULL)`;
}

/** Equal texts in a row become one, since each that stays in memory is copied twice by the garbage collector. */
function repeated(): (text: string | null) => string | null {
  let last: string | null = null;
  return (text) => {
    if (text !== last) last = text;
    return last;
  };
}

/** Converts `2026-03-01 10:00:00.5+00`, the format of a session in UTC. */
function toRfc3339(text: string | null): string | null {
  if (text === null || text.length < 20) return text;
  return `${text.slice(0, 10)}T${text.slice(11, -3)}Z`;
}
