import type { LibraryTable } from "../library-table-type.ts";
import { MOVED_OUT } from "../moved-out.ts";

const LIBRARY = "Rails Event Store's outbox";
const SOURCE = "ece8f3136; contrib/ruby_event_store-outbox";

export const resOutbox: LibraryTable = {
  slug: "rails-event-store",
  library: LIBRARY,
  source: SOURCE,
  name: /eventstoreoutbox(?!locks)/,
  required: ["id", "split_key", "format", "payload", "enqueued_at"],
  optional: ["created_at"],
  forbidden: ["locked_at"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      eventType: "format",
      aggregateId: "split_key",
      createdAt: "created_at",
      publishedAt: "enqueued_at",
      order: "id",
    },
    lifecycle: {
      kind: "rules",
      states: {
        published: { column: "enqueued_at", is: "set" },
        waiting: { column: "enqueued_at", is: "null" },
      },
      verbs: {
        retry: { set: [{ column: "enqueued_at", to: "null" }], does: "Not enqueued: the consumer takes it again." },
        "dead-letter": MOVED_OUT,
      },
    },
    traps: ["A record that fails is only logged, and is tried again for ever. Neither attempts nor errors are stored."],
  },
};

export const resOutboxLocks: LibraryTable = {
  slug: "rails-event-store-locks",
  library: LIBRARY,
  source: SOURCE,
  name: /eventstoreoutboxlocks/,
  nameDecides: true,
  required: ["format", "split_key", "locked_at", "locked_by"],
  kind: { role: "helper", reason: "it has the locks of the outbox's consumers" },
};
