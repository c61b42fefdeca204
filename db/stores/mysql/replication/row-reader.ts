import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import type { ColumnRole, MappedColumn, OutboxMapping } from "../../port/mapping.ts";
import { encodeMessageId } from "../../port/message-id.ts";
import type { OrderKey, OutgoingMessage } from "../../port/relay/outgoing-message.ts";
import type { Notice } from "../../port/relay/relay-stream.ts";
import { isScheduled } from "../../shared/relay/is-scheduled.ts";
import { joinKey } from "../../shared/relay/join-key.ts";
import { isBinary, kindOf } from "../tables/column-kinds.ts";
import type { LogTransaction } from "./binlog-place.ts";
import { keyTextOf, type LogValue, plain, rfc3339Of, singleText, textOf } from "./row-values.ts";

export interface LogColumn {
  name: string;
  /** The type's number in the protocol. */
  type: number;
}

/** The type's number in the protocol. */
const FLOAT = 4;

export type LogRow = Readonly<Record<string, LogValue>>;

interface RowOfLog {
  row: LogRow;
  transaction: LogTransaction;
  /** The row's number within its transaction. */
  ordinal: number;
  bytes: number;
}

export interface LogRowReader {
  read(row: RowOfLog): Notice;
}

/** The log's rows lack columns of the mapping: the table was changed. */
export class MissingColumnsError extends Error {
  override readonly name = "MissingColumnsError";
}

type Getter = (row: LogRow) => string | null;
type Get = (column: Pick<MappedColumn, "name" | "type"> | undefined) => Getter;

/**
 * Reads rows of the log as the table's own reader would. `whole`: reads the full message; otherwise only the row's
 * identity and position. Throws MissingColumnsError.
 */
export function logRowReader(input: {
  mapping: OutboxMapping;
  /** Columns of the rows, as the log has them. */
  columns: readonly LogColumn[];
  lanes: boolean;
  /** Further columns of a message, keyed by their names in it. */
  fields: Readonly<Record<string, string>>;
  whole: boolean;
}): LogRowReader {
  const { mapping, lanes, fields, whole } = input;
  const roles = mapping.columns;
  const known = new Set(input.columns.map(({ name }) => name));
  const missing = new Set<string>();
  const need = (name: string) => {
    if (!known.has(name)) missing.add(name);
  };
  const get: Get = (column) => {
    if (!column) return () => null;
    need(column.name);
    const convert = textOf(column);
    return (row) => convert(row[column.name] ?? null);
  };
  const keys = mapping.primaryKey.map((column) => {
    need(column.name);
    const convert = keyTextOf(column);
    return (row: LogRow) => convert(row[column.name] ?? null) ?? "";
  });
  const [event, order] = [get(roles.id), get(orderColumn(mapping))];
  const [type, aggregate] = [get(roles.aggregateType), get(roles.aggregateId)];
  const single = new Set(input.columns.filter(({ type }) => type === FLOAT).map(({ name }) => name));
  const more = Object.entries(whole ? fields : {}).map(([key, name]) => {
    need(name);
    const convert = single.has(name) ? singleText : plain;
    return [key, (row: LogRow) => convert(row[name] ?? null)] as const;
  });
  const message = whole ? messageOf(mapping, more, get) : null;
  if (missing.size > 0)
    throw new MissingColumnsError(
      `The binary log's rows of ${mapping.table.name} have no ${[...missing].join(", ")}: the table was changed. Accept its new mapping, or give the columns their names back.`,
    );

  return {
    read({ row, transaction, ordinal, bytes }) {
      const id = encodeMessageId(keys.map((key) => key(row)));
      const [aggregateType, aggregateId] = [type(row), aggregate(row)];
      const aggregateKey = lanes ? joinKey(roles.aggregateType !== undefined, aggregateType, aggregateId) : null;
      const eventId = event(row) ?? "";
      const position: OrderKey = whole ? [transaction.position, String(ordinal)] : [order(row) ?? "", eventId];
      const identity = { id, eventId, aggregateKey, aggregateType, aggregateId, order: position };
      return { id, aggregateKey, order: position, transaction, message: message?.(row, identity) ?? null, bytes };
    },
  };
}

type Identity = Pick<OutgoingMessage, "id" | "eventId" | "aggregateKey" | "aggregateType" | "aggregateId" | "order">;

function messageOf(
  { columns }: OutboxMapping,
  more: readonly (readonly [name: string, read: Getter])[],
  get: Get,
): (row: LogRow, identity: Identity) => OutgoingMessage {
  const of = (role: ColumnRole) => get(columns[role]);
  const [eventType, topic, headers, attempts] = [of("eventType"), of("topic"), of("headers"), of("attempts")];
  const [payload, available, created] = [of("payload"), of("availableAt"), get(columns.createdAt)];
  const { type, name } = columns.payload;
  const payloadKind = isBinary(type) ? "binary" : kindOf(type) === "json" ? "json" : "text";
  const base64 = (row: LogRow) => {
    const value = row[name] ?? null;
    return value === null ? null : Buffer.from(value as string | Buffer).toString("base64");
  };
  return (row, identity) => {
    const [availableText, createdText] = [available(row), created(row)];
    const createdAt = instantOf(createdText, columns.createdAt);
    return {
      ...identity,
      eventType: eventType(row),
      topic: topic(row),
      headers: headers(row),
      payload: payloadKind === "binary" ? base64(row) : payload(row),
      payloadKind,
      ...(more.length > 0 ? { fields: Object.fromEntries(more.map(([key, read]) => [key, read(row)])) } : {}),
      createdAt,
      scheduled: isScheduled(instantOf(availableText, columns.availableAt) ?? availableText, createdAt),
      attempts: Number(attempts(row) ?? 0),
    };
  };
}

function instantOf(text: string | null, column: MappedColumn | undefined): string | null {
  return text === null || !column ? null : rfc3339Of(text, column);
}
