import type { LibraryTable } from "../library-table-type.ts";

export const eventDrivenIo: LibraryTable = {
  slug: "event-driven-io",
  library: "event-driven.io's outbox",
  source: "the articles on push-based outboxes and on ordering, event-driven.io",
  name: /outbox/,
  required: ["position", "publication_id", "message_id", "message_type", "data", "scheduled", "transaction_id"],
  kind: {
    role: "outbox",
    columns: {
      id: "position",
      payload: "data",
      eventType: "message_type",
      topic: "publication_id",
      createdAt: "scheduled",
      order: "position",
    },
    lifecycle: { kind: "untold", where: "the replication slot or the checkpoint of each subscriber" },
  },
};
