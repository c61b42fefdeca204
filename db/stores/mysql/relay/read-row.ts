import type { MappedColumn, OutboxMapping } from "#db/stores/port/mapping.ts";
import { encodeMessageId } from "#db/stores/port/message-id.ts";
import { AT_ONCE_MS, type OrderKey, type OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { joinKey } from "#db/stores/shared/relay/join-key.ts";
import { mostAttempts } from "#db/stores/shared/relay/most-attempts.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import { isBinary, kindOf } from "../tables/column-kinds.ts";
import {
  columnSql,
  columnText,
  encodeInstant,
  instantExpression,
  keyText,
  quoteIdentifier,
} from "../tables/mapping-sql.ts";
import type { StatementContext } from "./relay-context.ts";
import { versionOf } from "./row-version.ts";

type Row = readonly (string | null)[];

export interface RowReader {
  /** Select list over the row `o`. */
  columns: string[];
  /** The same with payloads of at most so many bytes, and then the size of each. */
  upTo(bytes: number): string[];
  /** The stored size of the payload in a row of `upTo`; 0 for null. */
  size(row: Row): number;
  /** The row has a payload that was left out because it is larger. */
  leavesOut(row: Row): boolean;
  /** The message id of a row. */
  id(row: Row): string;
  /** Throws if the server has cut a payload away that the row has. */
  read(row: Row): OutgoingMessage;
}

type ReadContext = Pick<StatementContext, "mapping" | "lanes" | "fields"> & {
  facts: Pick<StatementContext["facts"], "binaryJson" | "redated">;
};

/**
 * The columns a claim selects and how they become a message. A value with two roles is sent once, and JavaScript
 * assembles the rest, message ids among it: both matter at 10,000 rows a second. `versions`: also selects a version
 * that distinguishes each row from a later one of the same key.
 */
export function rowReader(context: ReadContext, versions = false): RowReader {
  const { mapping, lanes, facts } = context;
  const roles = mapping.columns;
  const columns: string[] = [];
  const select = (sql: string): number => {
    const known = columns.indexOf(sql);
    return known >= 0 ? known : columns.push(sql) - 1;
  };
  const text = (column: MappedColumn | undefined) => (column ? select(textSql(column)) : -1);

  const payloadKind = isBinary(roles.payload.type) ? "binary" : kindOf(roles.payload.type) === "json" ? "json" : "text";
  const keys = mapping.primaryKey.map((column) => select(keySql(column)));
  const event = text(roles.id);
  const aggregateType = text(roles.aggregateType);
  const aggregateId = text(roles.aggregateId);
  const eventType = text(roles.eventType);
  const topic = text(roles.topic);
  const headers = text(roles.headers);
  const created = roles.createdAt ? select(instantExpression(roles.createdAt, "o")) : -1;
  const order = text(orderColumn(mapping));
  const scheduled = roles.availableAt ? select(scheduledSql(roles.availableAt, roles.createdAt)) : -1;
  const attempts = text(roles.attempts);
  const most = text(mapping.attemptsLimit);
  const fields = Object.entries(context.fields).map(
    ([name, column]) => [name, select(`o.${quoteIdentifier(column)}`)] as const,
  );
  const version = versions ? select(versionOf(context).sql) : -1;
  // Not shared with another role: a large one is left out.
  const payload = columns.push(payloadSql(roles.payload)) - 1;
  const bytes = payloadBytes(roles.payload, facts.binaryJson);
  const absent = columns.push(`${columnSql(roles.payload, "o")} IS NULL`) - 1;
  const size = columns.length;
  const leavesOut = (row: Row) => row[payload] === null && row[absent] === "0";
  const id = (row: Row) => encodeMessageId(keys.map((key) => row[key] ?? ""));

  return {
    columns,
    upTo: (most) => {
      const whole = columns[payload] ?? "";
      const small = `CASE WHEN ${bytes} <= ${most} THEN ${whole} END`;
      return [...columns.slice(0, payload), small, ...columns.slice(payload + 1), bytes];
    },
    size: (row) => Number(row[size] ?? 0),
    leavesOut,
    id,
    read(row) {
      const value = (index: number) => (index < 0 ? null : (row[index] ?? null));
      const type = value(aggregateType);
      const aggregate = value(aggregateId);
      const orderKey: OrderKey = [value(order) ?? "", value(event) ?? ""];
      if (leavesOut(row)) throw new Error("The server did not send a payload: it is larger than max_allowed_packet.");
      return {
        id: id(row),
        eventId: value(event) ?? "",
        aggregateKey: lanes ? joinKey(aggregateType >= 0, type, aggregate) : null,
        aggregateType: type,
        aggregateId: aggregate,
        eventType: value(eventType),
        topic: value(topic),
        headers: value(headers),
        payload: value(payload),
        payloadKind,
        ...(fields.length > 0 ? { fields: Object.fromEntries(fields.map(([name, at]) => [name, value(at)])) } : {}),
        createdAt: created < 0 ? null : toRfc3339(value(created)),
        scheduled: value(scheduled) === "1",
        order: orderKey,
        attempts: Number(value(attempts) ?? 0),
        ...mostAttempts(value(most)),
        ...(version < 0 ? {} : { version: value(version) }),
      };
    },
  };
}

/** Reads no more of a row `o` than its message id. */
export function idReader({ primaryKey }: OutboxMapping): Pick<RowReader, "columns" | "id"> {
  return {
    columns: primaryKey.map(keySql),
    id: (row) => encodeMessageId(primaryKey.map((_, index) => row[index] ?? "")),
  };
}

/** SQL: `OutgoingMessage.scheduled` of row `o`. */
export function scheduledSql(availableAt: MappedColumn, createdAt: MappedColumn | undefined): string {
  const column = columnSql(availableAt, "o");
  if (!createdAt) return `${column} IS NOT NULL`;
  const atOnce = `DATE_ADD(${instantExpression(createdAt, "o")}, INTERVAL ${AT_ONCE_MS * 1000} MICROSECOND)`;
  return `COALESCE(${column} > ${encodeInstant(availableAt, atOnce)}, ${column} IS NOT NULL)`;
}

function keySql(column: MappedColumn): string {
  return sentAsText(column) ? textSql(column) : keyText(column, "o");
}

/** The server sends the column as the text that a conversion would give. */
function sentAsText({ type }: MappedColumn): boolean {
  const kind = kindOf(type);
  return kind === "text" || kind === "words" || kind === "json" || (kind === "integer" && !/^(bit|year)\b/.test(type));
}

/** The column of row `o` as text, in the form of a message's position. */
export function textSql(column: MappedColumn): string {
  return sentAsText(column) ? columnSql(column, "o") : columnText(column, "o");
}

function payloadSql(column: MappedColumn): string {
  return isBinary(column.type) ? `REPLACE(TO_BASE64(${columnSql(column, "o")}), '\\n', '')` : textSql(column);
}

function payloadBytes(payload: MappedColumn, binaryJson: boolean): string {
  const size = binaryJson && kindOf(payload.type) === "json" ? "JSON_STORAGE_SIZE" : "OCTET_LENGTH";
  return `${size}(${columnSql(payload, "o")})`;
}

/** Converts `2026-03-01 10:00:00.5`, in UTC. Null for a date that no calendar has. */
function toRfc3339(text: string | null): string | null {
  if (text === null || text.startsWith("0000")) return null;
  return `${text.slice(0, 10)}T${text.slice(11) || "00:00:00"}Z`;
}
