import type { LibraryTable } from "../library-table-type.ts";

const LIBRARY = "Outboxy";

/** A failed event is due when next_retry_at has passed or is null. */
export const outboxy: LibraryTable = {
  slug: "outboxy",
  library: LIBRARY,
  source: "d4a5401; packages/migrations/sql, db-adapter-postgres/src/repositories",
  name: /outbox/,
  required: [
    "id",
    "aggregate_type",
    "aggregate_id",
    "event_type",
    "event_version",
    "payload",
    "destination_url",
    "status",
    "retry_count",
    "next_retry_at",
    "processing_started_at",
    "deleted_at",
  ],
  optional: [
    "headers",
    "last_error",
    "created_at",
    "updated_at",
    "processed_at",
    "destination_type",
    "idempotency_key",
    "max_retries",
    "backoff_multiplier",
    "error_details",
    "metadata",
    "processed_by_worker",
    "created_date",
  ],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      headers: "headers",
      aggregateType: "aggregate_type",
      aggregateId: "aggregate_id",
      eventType: "event_type",
      topic: "destination_url",
      createdAt: "created_at",
      publishedAt: "processed_at",
      attempts: "retry_count",
      lastError: "last_error",
      availableAt: "next_retry_at",
      lockedBy: "processed_by_worker",
    },
    lifecycle: {
      kind: "rules",
      shown: "status",
      states: {
        published: { column: "status", in: ["succeeded"] },
        dead: {
          all: [
            { column: "status", in: ["dlq"] },
            { column: "deleted_at", is: "null" },
          ],
        },
        expired: {
          any: [
            { column: "status", in: ["cancelled"] },
            {
              all: [{ column: "deleted_at", is: "set" }, { not: { column: "status", in: ["succeeded"] } }],
            },
          ],
        },
        waiting: {
          all: [
            { column: "status", in: ["pending", "processing", "failed"] },
            { column: "deleted_at", is: "null" },
          ],
        },
        failed: { column: "status", in: ["failed"] },
        claim: {
          marked: { column: "status", in: ["processing"] },
          ends: { column: "processing_started_at", plusSeconds: 300, nullIsEndless: true },
        },
      },
      verbs: {
        retry: {
          set: [
            { column: "status", to: { word: "pending" } },
            { column: "retry_count", to: { number: 0 } },
            { column: "next_retry_at", to: "null" },
            { column: "last_error", to: "null" },
            { column: "error_details", to: "null" },
            { column: "processing_started_at", to: "null" },
            { column: "processed_at", to: "null" },
            { column: "processed_by_worker", to: "null" },
            { column: "updated_at", to: "now" },
          ],
          does: "Pending and due, with no retries counted, as Outboxy's replay does it.",
        },
        "dead-letter": {
          set: [
            { column: "status", to: { word: "dlq" } },
            { column: "processed_at", to: "now" },
            { column: "updated_at", to: "now" },
          ],
          does: "In Outboxy's dead letter queue: the workers leave it alone until it is replayed.",
        },
      },
    },
    traps: ["A claim ends after 5 minutes, the worker's default (STALE_EVENT_THRESHOLD_MS); no row says it."],
  },
};

export const outboxyInbox: LibraryTable = {
  slug: "outboxy-inbox",
  library: LIBRARY,
  source: "d4a5401; packages/migrations/sql, packages/sdk/src/inbox-client.ts",
  name: /inbox/,
  required: [
    "id",
    "idempotency_key",
    "aggregate_type",
    "aggregate_id",
    "event_type",
    "payload",
    "status",
    "received_at",
  ],
  optional: ["source", "event_version", "headers", "metadata", "error", "processed_at"],
  forbidden: ["destination_url"],
  kind: {
    role: "inbox",
    columns: {
      messageId: "idempotency_key",
      consumer: "source",
      eventType: "event_type",
      receivedAt: "received_at",
      processedAt: "processed_at",
    },
    processed: { column: "status", in: ["processed"] },
    failed: { column: "status", in: ["failed"] },
    traps: [
      "A row is written with the status processed and a time, before the handler runs; a failure changes only the status.",
    ],
  },
};

export const outboxyConfig: LibraryTable = {
  slug: "outboxy-config",
  library: LIBRARY,
  source: "d4a5401; packages/migrations/sql",
  name: /outboxconfig/,
  nameDecides: true,
  required: ["id", "key", "value", "updated_at"],
  optional: ["description", "updated_by"],
  kind: { role: "helper", reason: "it has Outboxy's configuration" },
};
