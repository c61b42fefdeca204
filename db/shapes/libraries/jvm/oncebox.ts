import type { LibraryTable } from "../library-table-type.ts";

export const oncebox: LibraryTable = {
  slug: "oncebox",
  library: "oncebox (spring-outbox)",
  source: "fa0da0e; psql_outbox_table.sql",
  name: /^outboxevents$/,
  required: ["id", "status", "event_type", "payload_type", "payload", "retry_count", "next_retry_at", "updated_at"],
  optional: ["created_at"],
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
        claim: {
          marked: { column: "status", in: ["IN_PROCESS"] },
          ends: { column: "updated_at", plusSeconds: 300 },
        },
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
    traps: [
      "A claim counts as lost 300 s after updated_at, which is the library's default; max-batch-processing-time sets another time.",
    ],
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
        dead: { column: "dlq_status", in: ["MOVED", "RESOLVED"] },
        waiting: { column: "dlq_status", in: ["TO_RETRY", "IN_PROCESS"] },
        claim: { marked: { column: "dlq_status", in: ["IN_PROCESS"] } },
        countsTries: true,
      },
      verbs: {
        retry: {
          set: [
            { column: "dlq_status", to: { word: "TO_RETRY" } },
            { column: "updated_at", to: "now" },
          ],
          does: "TO_RETRY: the library moves it back into outbox_events.",
        },
        "dead-letter": {
          set: [
            { column: "dlq_status", to: { word: "MOVED" } },
            { column: "updated_at", to: "now" },
          ],
          does: "MOVED: it stays here, and the library does not move it back.",
        },
      },
    },
    traps: ["RESOLVED is dead too: a person has dealt with it, and the library deletes it later."],
  },
};

export const onceboxConsumed: LibraryTable = {
  slug: "oncebox-consumed",
  library: "oncebox (spring-outbox)",
  source: "fa0da0e; psql_outbox_consumed_table.sql",
  name: /outboxconsumedevents$/,
  nameDecides: true,
  required: ["id", "consumed_at"],
  kind: { role: "inbox", columns: { messageId: "id", receivedAt: "consumed_at" }, processed: null },
};

export const onceboxJobs: LibraryTable = {
  slug: "oncebox-jobs",
  library: "oncebox (spring-outbox)",
  source: "fa0da0e; psql_outbox_jobs_table.sql",
  name: /outboxjobs$/,
  nameDecides: true,
  required: ["job_name", "lock_until", "locked_by"],
  optional: ["locked_at", "lock_at_least_for", "lock_at_most_for"],
  kind: { role: "helper", reason: "the locks of the library's own jobs" },
};
