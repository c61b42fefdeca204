import type { CatalogColumn, CatalogTable } from "../stores/port/catalog.ts";
import type { InboxMapping } from "../stores/port/inbox-mapping.ts";
import type { MappedColumn } from "../stores/port/mapping.ts";
import { timeEncodingOf } from "./time-encoding.ts";
import { FOREIGN_NAMES, normalise } from "./vocabulary.ts";

const MESSAGE_ID = [
  "messageid",
  "eventid",
  "outboxmessageid",
  "outboxid",
  "idempotencykey",
  "eventuuid",
  "messageuuid",
  "id",
];
const CONSUMER = [
  "consumer",
  "consumername",
  "handler",
  "handlername",
  "consumergroup",
  "subscriber",
  "service",
  "name",
];
const RECEIVED = ["receivedat", "createdat", "insertedat", "firstseenat", "occurredat"];
const PROCESSED = ["processedat", "handledat", "consumedat", "completedat", "processedon", "processedonutc"];
const EVENT_TYPE = ["eventtype", "type", "messagetype", "eventname"];
const INBOX_NAME =
  /inbox|processedevent|processedmessage|consumedevent|consumedmessage|receivedmessage|handledevent|idempoten/;

/** The mapping of an inbox or processed-events table; undefined if the table looks like neither. */
export function recogniseInbox(table: CatalogTable, configured = false): InboxMapping | undefined {
  const name = normalise(table.name);
  if (!configured && (!INBOX_NAME.test(name) || name.includes("archive"))) return undefined;
  if (!configured && table.columns.some((column) => FOREIGN_NAMES.includes(normalise(column.name)))) return undefined;
  const find = (names: readonly string[]) => pick(table.columns, names);
  const messageId = find(MESSAGE_ID);
  if (!messageId || table.primaryKey.length === 0) return undefined;
  const processedAt = find(PROCESSED);
  const receivedAt = find(RECEIVED);
  const consumer = find(CONSUMER);
  return {
    table: { schema: table.schema, name: table.name },
    primaryKey: table.primaryKey.flatMap((key) => {
      const column = table.columns.find((candidate) => candidate.name === key);
      return column ? [toMapped(column)] : [];
    }),
    messageId: toMapped(messageId),
    consumer: consumer ? toMapped(consumer) : null,
    eventType: optional(find(EVENT_TYPE)),
    receivedAt: receivedAt ? toMapped(receivedAt) : null,
    processedAt: processedAt ? toMapped(processedAt) : null,
    tracksProcessing: processedAt?.nullable === true,
    shape: name.includes("inbox") ? "inbox" : "processed-events",
  };
}

function optional(column: CatalogColumn | undefined): MappedColumn | null {
  return column ? toMapped(column) : null;
}

function pick(columns: readonly CatalogColumn[], names: readonly string[]): CatalogColumn | undefined {
  for (const name of names) {
    const column = columns.find((candidate) => normalise(candidate.name) === name);
    if (column) return column;
  }
  return undefined;
}

function toMapped(column: CatalogColumn): MappedColumn {
  const time = timeEncodingOf(column, "UTC");
  return { name: column.name, type: column.type, nullable: column.nullable, ...(time ? { time } : {}), from: "shape" };
}
