import type { LibraryTable } from "../library-table-type.ts";

/** A row waits for every earlier unfinished one of its aggregate. */
export const eventferry: LibraryTable = {
  slug: "eventferry",
  library: "eventferry",
  source: "cd65266; packages/postgres/src/migrations.ts, store.ts, packages/mysql/src/migrations.ts",
  name: /outbox/,
  required: [
    "id",
    "message_id",
    "aggregate_type",
    "aggregate_id",
    "topic",
    "key",
    "payload",
    "headers",
    "status",
    "attempts",
    "next_retry_at",
    "claimed_at",
    "created_at",
    "processed_at",
  ],
  optional: ["trace_id", "partition_key"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      headers: "headers",
      aggregateType: "aggregate_type",
      aggregateId: "aggregate_id",
      eventType: "topic",
      topic: "topic",
      createdAt: "created_at",
      publishedAt: "processed_at",
      attempts: "attempts",
      availableAt: "next_retry_at",
      traceId: "trace_id",
      order: "id",
    },
    lifecycle: {
      kind: "rules",
      shown: "status",
      states: {
        published: { column: "status", in: [2] },
        dead: { column: "status", in: [4] },
        waiting: { column: "status", in: [0, 1, 3] },
        failed: { column: "status", in: [3] },
        claim: {
          marked: { column: "status", in: [1] },
          ends: { column: "claimed_at", plusSeconds: 60, nullIsEndless: true },
        },
      },
      verbs: {
        retry: {
          set: [
            { column: "status", to: { number: 3 } },
            { column: "attempts", to: { number: 0 } },
            { column: "next_retry_at", to: "now" },
            { column: "claimed_at", to: "null" },
          ],
          does: "To be retried now, with no attempts counted. Its status is failed, because a relay that streams the log takes only failed rows from the table.",
        },
        "dead-letter": {
          set: [
            { column: "status", to: { number: 4 } },
            { column: "next_retry_at", to: "null" },
            { column: "claimed_at", to: "null" },
          ],
          does: "Dead: the relay leaves it alone, and later rows of its aggregate go on.",
        },
      },
    },
    traps: [
      "A claim ends after 60 seconds, the library's default (claimTimeoutMs); no row says it. No error is stored.",
    ],
  },
};
