import type { LibraryTable } from "../library.ts";

export const debezium: LibraryTable = {
  slug: "debezium",
  library: "Debezium's outbox event router",
  source: "aad5519902; EventRouterConfigDefinition.java. c30bcf996 for the extension of Quarkus",
  name: /outbox/,
  required: ["id", "aggregatetype", "aggregateid", "type", "payload"],
  optional: ["timestamp", "tracingspancontext"],
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
      "A row is published by its insert. To publish it again, insert a copy with a new id: consumers take it for a new event.",
    ],
  },
};
