import type { LibraryTable } from "../library-table-type.ts";
import { MOVED_OUT } from "../moved-out.ts";

export const pgxOutbox: LibraryTable = {
  slug: "pgx-outbox",
  library: "pgx-outbox",
  source: "90b363d; internal/sql/01_outbox_messages.up.sql, reader.go",
  name: /outbox/,
  required: ["id", "broker", "topic", "metadata", "payload", "published_at"],
  optional: ["created_at"],
  forbidden: ["status"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      headers: "metadata",
      eventType: "topic",
      topic: "topic",
      createdAt: "created_at",
      publishedAt: "published_at",
      order: "id",
    },
    lifecycle: {
      kind: "rules",
      states: {
        published: { column: "published_at", is: "set" },
        waiting: { column: "published_at", is: "null" },
      },
      verbs: {
        retry: { set: [{ column: "published_at", to: "null" }], does: "Not published: the forwarder takes it again." },
        "dead-letter": MOVED_OUT,
      },
    },
    traps: ["The forwarder stops at the first message that it cannot send, and later ones wait. No error is stored."],
  },
};
