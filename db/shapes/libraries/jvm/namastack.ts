import type { LibraryTable } from "../library-table-type.ts";

const LIBRARY = "namastack-outbox";
const SOURCE = "679e518; schema/postgres/outbox-tables.sql, JdbcOutboxRecordRepository.kt";

/** The library's documentation also names PENDING and PROCESSING; its enum has NEW, COMPLETED and FAILED. */
export const namastack: LibraryTable = {
  slug: "namastack",
  library: LIBRARY,
  source: SOURCE,
  name: /outboxrecords?$/,
  required: [
    "id",
    "status",
    "record_key",
    "record_type",
    "payload",
    "created_at",
    "completed_at",
    "failure_count",
    "next_retry_at",
  ],
  optional: ["context", "failure_reason", "partition_no", "partition", "handler_id"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      aggregateId: "record_key",
      eventType: "record_type",
      topic: "handler_id",
      headers: "context",
      createdAt: "created_at",
      publishedAt: "completed_at",
      attempts: "failure_count",
      lastError: "failure_reason",
      availableAt: "next_retry_at",
    },
    lifecycle: {
      kind: "rules",
      shown: "status",
      states: {
        published: { column: "status", in: ["COMPLETED"] },
        dead: { column: "status", in: ["FAILED"] },
        waiting: { column: "status", in: ["NEW"] },
      },
      verbs: {
        retry: {
          set: [
            { column: "status", to: { word: "NEW" } },
            { column: "failure_count", to: { number: 0 } },
            { column: "failure_reason", to: "null" },
            { column: "next_retry_at", to: "now" },
            { column: "completed_at", to: "null" },
          ],
          does: "NEW and due now, with no failures counted; its key continues once it is sent.",
        },
        "dead-letter": {
          set: [
            { column: "status", to: { word: "FAILED" } },
            { column: "completed_at", to: "null" },
          ],
          does: "FAILED: the library does not send it, and by default sends no later record of its key either.",
        },
      },
    },
    traps: [
      "FAILED is final. While such a record is there, later records of its key are not sent, unless stop-on-first-failure is false.",
    ],
  },
};

export const namastackInstances: LibraryTable = {
  slug: "namastack-instances",
  library: LIBRARY,
  source: SOURCE,
  name: /outboxinstances?$/,
  nameDecides: true,
  required: ["instance_id", "hostname", "last_heartbeat"],
  optional: ["port", "status", "started_at", "created_at", "updated_at"],
  kind: { role: "helper", reason: "the instances that send, with their last sign of life" },
};

export const namastackPartitions: LibraryTable = {
  slug: "namastack-partitions",
  library: LIBRARY,
  source: SOURCE,
  name: /outboxpartitions?$/,
  nameDecides: true,
  required: ["partition_number", "instance_id", "version"],
  optional: ["updated_at"],
  kind: { role: "helper", reason: "which instance sends which partition" },
};
