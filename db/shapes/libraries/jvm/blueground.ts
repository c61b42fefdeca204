import type { LibraryTable } from "../library-table-type.ts";

/** A RUNNING item without `rerun_after` is taken by nobody: no rule describes it. */
export const blueground: LibraryTable = {
  slug: "blueground",
  library: "bluegroundltd transactional-outbox",
  source: "ccffd14; outbox_table_creation.sql, OutboxRepository.kt, OutboxItemProcessor.kt",
  name: /outboxitems?$/,
  required: ["id", "type", "status", "payload", "retries", "next_run", "rerun_after"],
  optional: [
    "group_id",
    "last_execution",
    "delete_after",
    "version",
    "created_at",
    "created_by",
    "updated_at",
    "updated_by",
  ],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      eventType: "type",
      aggregateId: "group_id",
      createdAt: "created_at",
      attempts: "retries",
      availableAt: "next_run",
      lockedUntil: "rerun_after",
    },
    lifecycle: {
      kind: "rules",
      shown: "status",
      states: {
        published: { column: "status", in: ["COMPLETED"] },
        dead: { column: "status", in: ["FAILED"] },
        waiting: {
          any: [
            { column: "status", in: ["PENDING"] },
            {
              all: [
                { column: "status", in: ["RUNNING"] },
                { column: "rerun_after", is: "set" },
              ],
            },
          ],
        },
        claim: { marked: { column: "status", in: ["RUNNING"] }, ends: { column: "rerun_after" } },
      },
      verbs: {
        retry: {
          set: [
            { column: "status", to: { word: "PENDING" } },
            { column: "retries", to: { number: 0 } },
            { column: "next_run", to: "now" },
            { column: "rerun_after", to: "null" },
            { column: "version", to: "increment" },
          ],
          does: "PENDING and due now, with no retries counted.",
        },
        "dead-letter": {
          set: [
            { column: "status", to: { word: "FAILED" } },
            { column: "rerun_after", to: "null" },
            { column: "version", to: "increment" },
          ],
          does: "FAILED: the library leaves it alone.",
        },
      },
    },
    traps: ["FAILED is final, and later items of the same group go on without it."],
  },
};
