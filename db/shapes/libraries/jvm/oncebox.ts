import type { LibraryTable } from "../library.ts";

const MOVED_BY_LIBRARY =
  "The library itself moves a row that has failed too often into outbox_dlq_events; only such a row can be kept from being sent.";

export const oncebox: LibraryTable = {
  slug: "oncebox",
  library: "oncebox (spring-outbox)",
  source: "fa0da0e; psql_outbox_table.sql",
  name: /^outboxevents$/,
  required: ["id", "status", "event_type", "payload_type", "payload", "retry_count", "next_retry_at"],
  optional: ["created_at", "updated_at"],
  forbidden: ["dlq_status", "moved_at"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      eventType: "event_type",
      createdAt: "created_at",
      attempts: "retry_count",
      availableAt: "next_retry_at",
    },
    lifecycle: {
      kind: "rules",
      shown: "status",
      states: {
        published: { column: "status", in: ["PROCESSED"] },
        dead: { column: "status", in: ["FAILED"] },
        waiting: { column: "status", in: ["PENDING", "IN_PROCESS"] },
        claim: { marked: { column: "status", in: ["IN_PROCESS"] } },
      },
      verbs: {
        retry: {
          set: [
            { column: "status", to: { word: "PENDING" } },
            { column: "retry_count", to: { number: 0 } },
            { column: "next_retry_at", to: "now" },
            { column: "updated_at", to: "now" },
          ],
          does: "PENDING and due now, with no retries counted.",
        },
        "dead-letter": {
          set: [
            { column: "status", to: { word: "FAILED" } },
            { column: "updated_at", to: "now" },
          ],
          does: "FAILED: the library does not send it, and moves it into outbox_dlq_events.",
        },
      },
    },
  },
};

export const onceboxDeadLetters: LibraryTable = {
  slug: "oncebox-dead-letters",
  library: "oncebox (spring-outbox)",
  source: "fa0da0e; psql_outbox_table.sql",
  name: /^outboxdlqevents$/,
  required: ["id", "status", "dlq_status", "event_type", "payload", "retry_count", "moved_at"],
  optional: ["payload_type", "next_retry_at", "created_at", "updated_at"],
  kind: {
    role: "dead letters",
    columns: {
      id: "id",
      payload: "payload",
      eventType: "event_type",
      createdAt: "created_at",
      attempts: "retry_count",
    },
    lifecycle: {
      kind: "rules",
      shown: "dlq_status",
      states: {
        dead: { not: { column: "dlq_status", in: ["TO_RETRY"] } },
        waiting: { column: "dlq_status", in: ["TO_RETRY"] },
      },
      verbs: {
        retry: {
          set: [
            { column: "dlq_status", to: { word: "TO_RETRY" } },
            { column: "updated_at", to: "now" },
          ],
          does: "TO_RETRY: the library moves it back into outbox_events.",
        },
        "dead-letter": { refuse: MOVED_BY_LIBRARY },
      },
    },
  },
};
