import type { LibraryTable } from "../library-table-type.ts";

const LIBRARY = "alekseishmidko/nest-outbox";
const SOURCE = "fc5b184; backend/database/migrations, src/outbox/repositories/outbox.repository.ts";
const RELEASED = [
  { column: "lease_owner", to: "null" },
  { column: "lease_token", to: "null" },
  { column: "lease_expires_at", to: "null" },
] as const;

/** A pending row needs no due time; a failed row without one is never taken. */
export const nestOutbox: LibraryTable = {
  slug: "nest-outbox",
  library: LIBRARY,
  source: SOURCE,
  name: /outbox/,
  required: [
    "id",
    "event_type",
    "aggregate_type",
    "aggregate_id",
    "payload",
    "status",
    "attempts",
    "next_retry_at",
    "lease_owner",
    "lease_token",
    "lease_expires_at",
  ],
  optional: [
    "processed_at",
    "error",
    "fencing_token",
    "created_at",
    "error_code",
    "error_stack",
    "dead_letter_reason",
    "manual_retry_reason",
  ],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      eventType: "event_type",
      aggregateType: "aggregate_type",
      aggregateId: "aggregate_id",
      createdAt: "created_at",
      publishedAt: "processed_at",
      attempts: "attempts",
      lastError: "error",
      availableAt: "next_retry_at",
      lockedBy: "lease_owner",
      lockedUntil: "lease_expires_at",
      order: "id",
    },
    lifecycle: {
      kind: "rules",
      shown: "status",
      states: {
        published: { column: "status", in: ["processed"] },
        dead: { column: "status", in: ["dead_letter"] },
        waiting: {
          any: [
            { column: "status", in: ["pending", "processing"] },
            {
              all: [
                { column: "status", in: ["failed"] },
                { column: "next_retry_at", is: "set" },
              ],
            },
          ],
        },
        failed: { column: "status", in: ["failed"] },
        claim: {
          marked: { column: "status", in: ["processing"] },
          ends: { column: "lease_expires_at", nullIsEndless: true },
        },
      },
      verbs: {
        retry: {
          set: [
            { column: "status", to: { word: "pending" } },
            { column: "attempts", to: { number: 0 } },
            { column: "next_retry_at", to: "null" },
            { column: "processed_at", to: "null" },
            { column: "error", to: "null" },
            { column: "error_code", to: "null" },
            { column: "error_stack", to: "null" },
            { column: "dead_letter_reason", to: "null" },
            ...RELEASED,
          ],
          does: "Pending and due, with no attempts counted, as the project's own retry does it.",
        },
        "dead-letter": {
          set: [
            { column: "status", to: { word: "dead_letter" } },
            { column: "next_retry_at", to: "null" },
            { column: "dead_letter_reason", to: { word: "dead-lettered by an operator" } },
            ...RELEASED,
          ],
          does: "In the dead letters: the workers leave it alone until it is retried.",
        },
      },
    },
  },
};

export const nestOutboxProcessed: LibraryTable = {
  slug: "nest-outbox-processed",
  library: LIBRARY,
  source: SOURCE,
  name: /processedevents|inbox/,
  required: ["idempotency_key", "outbox_event_id", "event_type", "status", "processed_at"],
  optional: ["created_at", "id", "aggregate_type", "aggregate_id"],
  kind: {
    role: "inbox",
    columns: {
      messageId: "idempotency_key",
      eventType: "event_type",
      receivedAt: "created_at",
      processedAt: "processed_at",
    },
    processed: { column: "status", in: ["processed"] },
  },
};

export const nestOutboxInbox: LibraryTable = {
  slug: "nest-outbox-inbox",
  library: LIBRARY,
  source: "fc5b184; backend/database/migrations/009_create_inbox_events.sql",
  name: /inbox/,
  nameDecides: true,
  required: [
    "id",
    "event_id",
    "event_type",
    "payload",
    "status",
    "attempts",
    "next_retry_at",
    "processed_at",
    "last_error",
  ],
  optional: ["created_at", "updated_at", "received_at"],
  kind: {
    role: "inbox",
    columns: { messageId: "event_id", eventType: "event_type", receivedAt: "created_at", processedAt: "processed_at" },
    processed: { column: "status", in: ["processed"] },
    failed: { column: "status", in: ["failed", "dead_letter"] },
  },
};
