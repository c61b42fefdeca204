import type { LibraryTable } from "../library-table-type.ts";

export const debezium: LibraryTable = {
  slug: "debezium",
  library: "Debezium's outbox event router",
  source: "aad5519902; EventRouterConfigDefinition.java. c30bcf996 for the extension of Quarkus",
  name: /outbox/,
  required: ["id", "aggregatetype", "aggregateid", "type", "payload"],
  optional: ["timestamp", "tracingspancontext"],
  forbidden: ["attempts", "retry_count", "last_error", "error", "next_retry_at", "saga_id"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      aggregateType: "aggregatetype",
      aggregateId: "aggregateid",
      eventType: "type",
      createdAt: "timestamp",
      headers: "tracingspancontext",
    },
    lifecycle: { kind: "untold", where: "the replication slot and the offsets of its connector" },
    traps: [
      "The extension of Quarkus deletes a row in the transaction that inserts it, by default: an empty table is healthy.",
      "A row is published by its insert. To publish it again, insert a copy with a new id: consumers take it for a new event.",
    ],
  },
};

/** As the examples of Debezium create it: in the transaction of the consumer. */
export const debeziumConsumed: LibraryTable = {
  slug: "debezium-consumed",
  library: "Debezium's outbox examples",
  source: "debezium-examples; outbox/shipment-service, ConsumedMessage.java",
  name: /consumedmessages?$/,
  nameDecides: true,
  required: ["eventid", "timeofreceiving"],
  kind: { role: "inbox", columns: { messageId: "eventid", receivedAt: "timeofreceiving" }, processed: null },
};
