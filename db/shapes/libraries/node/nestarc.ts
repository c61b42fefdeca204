import type { LibraryTable } from "../library-table-type.ts";

/** The time of the next attempt is not stored: the library reckons it from updated_at and the application's base. */
export const nestarc: LibraryTable = {
  slug: "nestarc",
  library: "@nestarc/outbox",
  source: "3f2a6f2; src/sql/create-outbox-table.sql, src/outbox.poller.ts",
  name: /outbox/,
  required: [
    "id",
    "event_type",
    "payload",
    "status",
    "updated_at",
    "processed_at",
    "retry_count",
    "max_retries",
    "last_error",
    "tenant_id",
  ],
  optional: ["created_at"],
  forbidden: ["aggregate_type", "aggregate_id", "destination_url", "next_retry_at"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      eventType: "event_type",
      createdAt: "created_at",
      publishedAt: "processed_at",
      attempts: "retry_count",
      lastError: "last_error",
    },
    lifecycle: {
      kind: "rules",
      shown: "status",
      states: {
        published: { column: "status", in: ["SENT"] },
        dead: { column: "status", in: ["FAILED"] },
        waiting: { column: "status", in: ["PENDING", "PROCESSING"] },
        claim: {
          marked: { column: "status", in: ["PROCESSING"] },
          ends: { column: "updated_at", plusSeconds: 300, nullIsEndless: true },
        },
      },
      verbs: {
        retry: {
          set: [
            { column: "status", to: { word: "PENDING" } },
            { column: "retry_count", to: { number: 0 } },
            { column: "last_error", to: "null" },
            { column: "updated_at", to: "now" },
          ],
          does: "PENDING with no retries counted, so it is due at once.",
        },
        "dead-letter": {
          set: [
            { column: "status", to: { word: "FAILED" } },
            { column: "updated_at", to: "now" },
          ],
          does: "FAILED: the library leaves it alone until it is retried.",
        },
      },
    },
    traps: ["A claim ends after 5 minutes, the library's default (stuckThreshold); no row says it."],
  },
};
