import type { LibraryTable } from "../library-table-type.ts";

/** Statuses: 0 new, 1 done, 2 to be tried again, 3 dead. `done_at` is set for dead rows too. */
export const leonlee: LibraryTable = {
  slug: "leonlee",
  library: "leonlee outbox",
  source: "b763855; schema/postgresql.sql, AbstractJdbcOutboxStore.java",
  name: /outboxevents?$/,
  required: [
    "event_id",
    "event_type",
    "payload",
    "status",
    "attempts",
    "available_at",
    "created_at",
    "done_at",
    "locked_by",
    "locked_at",
  ],
  optional: ["aggregate_type", "aggregate_id", "tenant_id", "headers", "last_error"],
  kind: {
    role: "outbox",
    columns: {
      id: "event_id",
      payload: "payload",
      headers: "headers",
      aggregateType: "aggregate_type",
      aggregateId: "aggregate_id",
      eventType: "event_type",
      createdAt: "created_at",
      publishedAt: "done_at",
      availableAt: "available_at",
      attempts: "attempts",
      lastError: "last_error",
      lockedBy: "locked_by",
    },
    lifecycle: {
      kind: "rules",
      shown: "status",
      states: {
        published: { column: "status", in: [1] },
        dead: { column: "status", in: [3] },
        waiting: { column: "status", in: [0, 2] },
        failed: { column: "status", in: [2] },
        claim: { marked: { column: "locked_by", is: "set" }, ends: { column: "locked_at", plusSeconds: 300 } },
      },
      verbs: {
        retry: {
          set: [
            { column: "status", to: { number: 0 } },
            { column: "attempts", to: { number: 0 } },
            { column: "available_at", to: "now" },
            { column: "done_at", to: "null" },
            { column: "last_error", to: "null" },
            { column: "locked_by", to: "null" },
            { column: "locked_at", to: "null" },
          ],
          does: "New (0) and due now, with no attempts counted, as the library's own replay does it.",
        },
        "dead-letter": {
          set: [
            { column: "status", to: { number: 3 } },
            { column: "done_at", to: "now" },
            { column: "locked_by", to: "null" },
            { column: "locked_at", to: "null" },
          ],
          does: "Dead (3): the library leaves it alone until it is replayed.",
        },
      },
    },
    traps: [
      "A claim counts as lost 5 minutes after locked_at, as in the library's guide; its claimLocking sets another time.",
    ],
  },
};
