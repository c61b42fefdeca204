import type { LibraryTable } from "../library-table-type.ts";

const RELEASED = [
  { column: "locked_until", to: "null" },
  { column: "lock_token", to: "null" },
] as const;

/** processed_at is also written when a row is given up, so the status alone says what was sent. */
export const fabio: LibraryTable = {
  slug: "fabioferreccio",
  library: "fabioferreccio/pg-transactional-outbox",
  source: "d76e1f1; docs/outbox-schema.sql, postgres-outbox.repository.ts",
  name: /outbox/,
  required: [
    "id",
    "tracking_id",
    "aggregate_id",
    "aggregate_type",
    "event_type",
    "payload",
    "status",
    "retry_count",
    "locked_until",
    "lock_token",
  ],
  optional: [
    "created_at",
    "processed_at",
    "last_error",
    "metadata",
    "max_retries",
    "user_id",
    "permissions",
    "owner",
    "trace_id",
  ],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      headers: "metadata",
      aggregateType: "aggregate_type",
      aggregateId: "aggregate_id",
      eventType: "event_type",
      createdAt: "created_at",
      publishedAt: "processed_at",
      attempts: "retry_count",
      lastError: "last_error",
      lockedUntil: "locked_until",
    },
    lifecycle: {
      kind: "rules",
      shown: "status",
      states: {
        published: { column: "status", in: ["COMPLETED"] },
        dead: { column: "status", in: ["DEAD_LETTER"] },
        waiting: { column: "status", in: ["PENDING", "PROCESSING", "FAILED"] },
        failed: { column: "status", in: ["FAILED"] },
        claim: {
          marked: { column: "status", in: ["PROCESSING"] },
          ends: { column: "locked_until", nullIsEndless: true },
        },
      },
      verbs: {
        retry: {
          set: [
            { column: "status", to: { word: "PENDING" } },
            { column: "retry_count", to: { number: 0 } },
            { column: "last_error", to: "null" },
            ...RELEASED,
            { column: "processed_at", to: "null" },
          ],
          does: "PENDING and not locked, with no retries counted, as the library's redrive does it.",
        },
        "dead-letter": {
          set: [{ column: "status", to: { word: "DEAD_LETTER" } }, ...RELEASED, { column: "processed_at", to: "now" }],
          does: "DEAD_LETTER: the library leaves it alone until it is redriven.",
        },
      },
    },
    traps: [
      "The library's clean-up deletes dead letters too, and its partitions are dropped after 30 days, with whatever is still unsent in them.",
    ],
  },
};
