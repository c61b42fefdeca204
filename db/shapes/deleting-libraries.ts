import type { CatalogTable } from "../stores/port/catalog.ts";

interface DeletingLibrary {
  title: string;
  /** Exact name that the library uses. */
  table: string;
  required: readonly string[];
  optional: readonly string[];
}

/** Tables of libraries that delete published rows, with the columns that each library creates. */
const DELETING_LIBRARIES: readonly DeletingLibrary[] = [
  {
    title: "Debezium",
    table: "outboxevent",
    required: ["id", "aggregatetype", "aggregateid", "type", "payload"],
    optional: ["timestamp", "tracingspancontext"],
  },
  {
    title: "MassTransit",
    table: "OutboxMessage",
    required: ["SequenceNumber", "SentTime", "MessageId", "ContentType", "MessageType", "Body"],
    optional: [
      "EnqueueTime",
      "Headers",
      "Properties",
      "InboxMessageId",
      "InboxConsumerId",
      "OutboxId",
      "ConversationId",
      "CorrelationId",
      "InitiatorId",
      "RequestId",
      "SourceAddress",
      "DestinationAddress",
      "ResponseAddress",
      "FaultAddress",
      "ExpirationTime",
    ],
  },
  {
    title: "ABP",
    table: "AbpEventOutbox",
    required: ["Id", "ExtraProperties", "EventName", "EventData", "CreationTime"],
    optional: [],
  },
  {
    title: "Spring Cloud Stream",
    table: "scs_outbox",
    required: ["id", "binding_name", "captured_at", "destination", "headers", "payload"],
    optional: [],
  },
];

/**
 * The library whose table this is. The columns must match exactly: an extra column may be the one that marks published
 * messages, and then an existing row does not mean unpublished.
 */
export function deletingLibraryOf(table: CatalogTable): string | null {
  const names = table.columns.map((column) => column.name);
  const library = DELETING_LIBRARIES.find(
    ({ table: name, required, optional }) =>
      table.name === name &&
      required.every((column) => names.includes(column)) &&
      names.every((column) => required.includes(column) || optional.includes(column)),
  );
  return library?.title ?? null;
}
