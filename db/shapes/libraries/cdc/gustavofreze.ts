import type { LibraryTable } from "../library-table-type.ts";

export const gustavofreze: LibraryTable = {
  slug: "gustavofreze",
  library: "gustavofreze transactional-outbox",
  source: "1e0b33a; V0001__Create_outbox_event_table.sql",
  name: /outboxevents?$/,
  required: ["id", "aggregate_type", "aggregate_id", "event_type", "revision", "payload", "occurred_on", "created_at"],
  forbidden: ["attempts", "retry_count", "last_error", "error", "next_retry_at"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      aggregateType: "aggregate_type",
      aggregateId: "aggregate_id",
      eventType: "event_type",
      createdAt: "created_at",
    },
    lifecycle: { kind: "untold", where: "the binlog position of its Debezium connector" },
    traps: [
      "A row is published by its insert. To publish it again, insert a copy with a new id: consumers take it for a new event.",
    ],
  },
};
