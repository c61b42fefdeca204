import type { LibraryTable } from "../library-table-type.ts";

const RELEASED = [
  { column: "locked_by", to: "null" },
  { column: "locked_at", to: "null" },
  { column: "updated_at", to: "now" },
] as const;

/** The relay takes back a delivery whose lock is old or undated. */
export const openOutbox: LibraryTable = {
  slug: "open-outbox",
  library: "Open Outbox",
  source: "b8efc8f; schema/postgres/open-outbox.sql, internal/storage/postgres.go",
  name: /outbox/,
  required: [
    "event_id",
    "event_type",
    "partition_key",
    "payload",
    "headers",
    "status",
    "attempts",
    "available_at",
    "locked_at",
    "delivered_at",
  ],
  optional: ["last_error", "locked_by", "created_at", "updated_at"],
  kind: {
    role: "outbox",
    columns: {
      id: "event_id",
      payload: "payload",
      headers: "headers",
      eventType: "event_type",
      aggregateId: "partition_key",
      createdAt: "created_at",
      publishedAt: "delivered_at",
      attempts: "attempts",
      lastError: "last_error",
      availableAt: "available_at",
      lockedBy: "locked_by",
    },
    lifecycle: {
      kind: "rules",
      shown: "status",
      states: {
        published: { column: "status", in: ["DELIVERED"] },
        dead: { column: "status", in: ["DEAD"] },
        waiting: { column: "status", in: ["PENDING", "DELIVERING"] },
        claim: {
          marked: { column: "status", in: ["DELIVERING"] },
          ends: { column: "locked_at", plusSeconds: 180 },
        },
      },
      verbs: {
        retry: {
          set: [
            { column: "status", to: { word: "PENDING" } },
            { column: "attempts", to: { number: 0 } },
            { column: "available_at", to: "now" },
            { column: "last_error", to: "null" },
            ...RELEASED,
          ],
          does: "PENDING and due now, with no attempts counted.",
        },
        "dead-letter": {
          set: [{ column: "status", to: { word: "DEAD" } }, ...RELEASED],
          does: "DEAD: the relay leaves it alone until it is retried.",
        },
      },
    },
    traps: ["A claim ends after 3 minutes, the relay's default (LEASE_TIMEOUT); no row says it."],
  },
};
