import type { LibraryTable } from "../library-table-type.ts";

export const activeOutbox: LibraryTable = {
  slug: "active-outbox",
  library: "active_outbox",
  source: "8a14ae4; README.md, generator's migration.rb",
  name: /outbox/,
  required: ["id", "identifier", "event", "payload", "aggregate", "aggregate_identifier"],
  optional: ["created_at", "updated_at"],
  forbidden: ["status", "published_at", "processed_at", "sent_at"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      eventType: "event",
      aggregateType: "aggregate",
      aggregateId: "aggregate_identifier",
      createdAt: "created_at",
      order: "id",
    },
    lifecycle: { kind: "untold", where: "the publisher that the application brings, often a connector over the log" },
    traps: ["To publish a row again, insert a copy with a new identifier: consumers take it for a new event."],
  },
};
