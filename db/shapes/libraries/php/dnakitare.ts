import type { LibraryTable } from "../library-table-type.ts";

const LIBRARY = "dnakitare/laravel-outbox";
const SOURCE = "113b920; database/migrations, src/DatabaseOutboxRepository.php";

/** A failed message stays, and a copy of it goes into outbox_dead_letter. */
export const dnakitare: LibraryTable = {
  slug: "dnakitare",
  library: LIBRARY,
  source: SOURCE,
  name: /outbox/,
  required: [
    "id",
    "transaction_id",
    "correlation_id",
    "sequence_number",
    "aggregate_type",
    "aggregate_id",
    "message_type",
    "payload",
    "payload_hash",
    "status",
    "attempts",
  ],
  optional: [
    "type",
    "available_at",
    "processing_started_at",
    "processed_at",
    "error",
    "history",
    "created_at",
    "updated_at",
  ],
  forbidden: ["original_message_id"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      headers: "history",
      eventType: "message_type",
      aggregateType: "aggregate_type",
      aggregateId: "aggregate_id",
      createdAt: "created_at",
      publishedAt: "processed_at",
      attempts: "attempts",
      lastError: "error",
      availableAt: "available_at",
      order: "sequence_number",
    },
    lifecycle: {
      kind: "rules",
      shown: "status",
      states: {
        published: { column: "status", in: ["completed"] },
        dead: { column: "status", in: ["failed"] },
        waiting: { column: "status", in: ["pending", "processing"] },
        claim: { marked: { column: "status", in: ["processing"] } },
      },
      verbs: {
        retry: {
          set: [
            { column: "status", to: { word: "pending" } },
            { column: "attempts", to: { number: 0 } },
            { column: "error", to: "null" },
            { column: "available_at", to: "now" },
            { column: "processing_started_at", to: "null" },
            { column: "updated_at", to: "now" },
          ],
          deleteFrom: { table: "outbox_dead_letter", theirs: "original_message_id", ours: "id" },
          does: "Pending and due now, with no attempts counted; its copy in outbox_dead_letter is deleted.",
        },
        "dead-letter": {
          set: [
            { column: "status", to: { word: "failed" } },
            { column: "processing_started_at", to: "null" },
            { column: "updated_at", to: "now" },
          ],
          does: "Failed: the library leaves it alone until it is retried. No copy goes into outbox_dead_letter.",
        },
      },
    },
    traps: [
      "A message that stays in processing after its worker has died is not taken again by the library.",
      "payload_hash must fit the payload, so an edited payload is refused by the library.",
    ],
  },
};

export const dnakitareDeadLetters: LibraryTable = {
  slug: "dnakitare-dead-letters",
  library: LIBRARY,
  source: SOURCE,
  name: /deadletter/,
  required: ["id", "original_message_id", "message_type", "payload", "error", "stack_trace", "failed_at"],
  optional: [
    "transaction_id",
    "correlation_id",
    "aggregate_type",
    "aggregate_id",
    "payload_hash",
    "metadata",
    "created_at",
    "updated_at",
  ],
  kind: {
    role: "dead letters",
    columns: {
      id: "id",
      payload: "payload",
      headers: "metadata",
      eventType: "message_type",
      aggregateType: "aggregate_type",
      aggregateId: "aggregate_id",
      createdAt: "created_at",
      lastError: "error",
    },
    lifecycle: {
      kind: "rules",
      states: { dead: { always: true }, waiting: { not: { always: true } } },
      verbs: {
        retry: {
          refuse:
            "This is a copy. Retry the message itself, in outbox_messages, under the id in original_message_id: that deletes the copy.",
        },
        "dead-letter": { refuse: "It is in the library's dead letters already." },
      },
    },
    traps: ["Each row is a copy of a message that outbox_messages still has as failed: add up only one of the two."],
  },
};
