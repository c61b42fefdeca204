import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import type { ColumnRole, MappedColumn, OutboxMapping } from "../../port/mapping.ts";
import { encodeMessageId } from "../../port/message-id.ts";
import type { OrderKey, OutgoingMessage } from "../../port/relay/outgoing-message.ts";
import type { Notice } from "../../port/relay/relay-stream.ts";
import { isScheduled } from "../../shared/relay/is-scheduled.ts";
import { joinKey } from "../../shared/relay/join-key.ts";
import type { LogTransaction } from "./log-transaction.ts";
import { type RelationMessage, readTuple } from "./pgoutput.ts";
import { rfc3339Of } from "./tuple-instant.ts";

export interface TupleReader {
  /** `ordinal`: the row's number within its transaction. */
  read(tuple: Buffer, transaction: LogTransaction, ordinal: number): Notice;
}

/** The publication lacks columns of the mapping. */
export class MissingColumnsError extends Error {
  override readonly name = "MissingColumnsError";
}

/** Columns without which no row of the stream can be read. */
export function identifyingColumns(mapping: OutboxMapping): string[] {
  const { id, aggregateType, aggregateId } = mapping.columns;
  const columns = [...mapping.primaryKey, id, orderColumn(mapping), aggregateType, aggregateId];
  return [...new Set(columns.flatMap((column) => column?.name ?? []))];
}

/**
 * Reads rows of the stream as the table's own reader would. `whole`: reads the full message; otherwise only the row's
 * identity and position.
 */
export function tupleReader(input: {
  mapping: OutboxMapping;
  relation: RelationMessage;
  lanes: boolean;
  /** Further columns of a message, keyed by their names in it. */
  fields: Readonly<Record<string, string>>;
  whole: boolean;
}): TupleReader {
  const { mapping, relation, lanes, fields, whole } = input;
  const roles = mapping.columns;
  const wanted = relation.columns.map(() => false);
  const missing: string[] = [];
  const place = (column: Pick<MappedColumn, "name">): number => {
    const index = relation.columns.indexOf(column.name);
    if (index < 0) missing.push(column.name);
    else wanted[index] = true;
    return index;
  };
  const get: Get = (column) => {
    if (!column) return () => null;
    const index = place(column);
    const convert = textOf(relation.types[index]);
    return (row) => {
      const value = row[index];
      return value == null ? null : convert(value);
    };
  };
  const keys = mapping.primaryKey.map((column) => {
    const index = place(column);
    const convert = keyTextOf(column, relation.types[index]);
    return (row: readonly (string | null)[]) => convert(row[index] ?? "");
  });
  const [event, order] = [get(roles.id), get(orderColumn(mapping))];
  const [type, aggregate] = [get(roles.aggregateType), get(roles.aggregateId)];
  const message = whole ? messageOf(mapping, fields, get) : null;
  if (missing.length > 0) {
    throw new MissingColumnsError(`The publication does not carry the columns ${[...new Set(missing)].join(", ")}.`);
  }

  return {
    read(tuple, transaction, ordinal) {
      const row = readTuple(tuple, wanted);
      const id = encodeMessageId(keys.map((key) => key(row)));
      const [aggregateType, aggregateId] = [type(row), aggregate(row)];
      const aggregateKey = lanes ? joinKey(roles.aggregateType !== undefined, aggregateType, aggregateId) : null;
      const inStream: OrderKey = [transaction.commitLsn.toString(), String(ordinal)];
      const orderKey: OrderKey = whole ? inStream : [order(row) ?? "", event(row) ?? ""];
      const outgoing = message?.(row, {
        id,
        eventId: event(row) ?? "",
        aggregateKey,
        aggregateType,
        aggregateId,
        order: orderKey,
      });
      return { id, aggregateKey, order: orderKey, transaction, message: outgoing ?? null, bytes: tuple.length };
    },
  };
}

type Known = Pick<OutgoingMessage, "id" | "eventId" | "aggregateKey" | "aggregateType" | "aggregateId" | "order">;
type Getter = (row: readonly (string | null)[]) => string | null;
type Get = (column: Pick<MappedColumn, "name"> | undefined) => Getter;

function messageOf(
  { columns }: OutboxMapping,
  fields: Readonly<Record<string, string>>,
  get: Get,
): (row: readonly (string | null)[], known: Known) => OutgoingMessage {
  const of = (role: ColumnRole) => get(columns[role]);
  const [eventType, topic, headers, attempts] = [of("eventType"), of("topic"), of("headers"), of("attempts")];
  const [payload, available, created] = [of("payload"), of("availableAt"), get(columns.createdAt)];
  const more = Object.entries(fields).map(([name, column]) => [name, get({ name: column })] as const);
  const { type } = columns.payload;
  const binary = type === "bytea";
  const payloadKind = binary ? "binary" : /^jsonb?$/.test(type) ? "json" : "text";
  return (row, known) => {
    const text = payload(row);
    const [availableText, createdText] = [available(row), created(row)];
    const createdAt = instantOf(createdText, columns.createdAt);
    return {
      ...known,
      eventType: eventType(row),
      topic: topic(row),
      headers: headers(row),
      payload: text !== null && binary ? Buffer.from(text.slice(2), "hex").toString("base64") : text,
      payloadKind,
      ...(more.length > 0 ? { fields: Object.fromEntries(more.map(([name, read]) => [name, read(row)])) } : {}),
      createdAt,
      scheduled: isScheduled(instantOf(availableText, columns.availableAt) ?? availableText, createdAt),
      attempts: Number(attempts(row) ?? 0),
    };
  };
}

function instantOf(text: string | null, column: MappedColumn | undefined): string | null {
  return text === null || !column ? null : rfc3339Of(text, column);
}

const BOOLEAN = 16;
const BPCHAR = 1042;

/** The stream has a type's output form; a cast to text, which the table's reader uses, differs for these two. */
function textOf(type: number | undefined): (value: string) => string {
  if (type === BOOLEAN) return (value) => (value === "t" ? "true" : "false");
  if (type === BPCHAR) return (value) => value.replace(/ +$/, "");
  return (value) => value;
}

/** Same as `keyText` in SQL. */
function keyTextOf(column: MappedColumn, type: number | undefined): (value: string) => string {
  if (!column.type.startsWith("timestamp")) return textOf(type);
  const zoned = column.type.includes("with time zone");
  return (value) => {
    const [, date, time, fraction = ""] = /^(\S+) (\d\d:\d\d:\d\d)(?:\.(\d+))?/.exec(value) ?? [];
    return `${date}T${time}.${fraction.padEnd(6, "0")}${zoned ? "Z" : ""}`;
  };
}
