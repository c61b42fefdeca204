import type { LibraryTable } from "../library-table-type.ts";

export const pkritiotis: LibraryTable = {
  slug: "pkritiotis",
  library: "pkritiotis/outbox",
  source: "81327d9; store.go, store/mysql/mysql.go",
  name: /outbox/,
  required: ["id", "data", "state", "created_on", "locked_by", "locked_on", "processed_on", "number_of_attempts"],
  optional: ["last_attempted_on", "error"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "data",
      createdAt: "created_on",
      publishedAt: "processed_on",
      attempts: "number_of_attempts",
      lastError: "error",
      lockedBy: "locked_by",
    },
    lifecycle: {
      kind: "rules",
      shown: "state",
      states: {
        published: { column: "state", in: [1] },
        dead: { column: "state", in: [2] },
        waiting: { column: "state", in: [0] },
        claim: { marked: { column: "locked_by", is: "set" } },
      },
      verbs: {
        retry: {
          set: [
            { column: "state", to: { number: 0 } },
            { column: "number_of_attempts", to: { number: 0 } },
            { column: "locked_by", to: "null" },
            { column: "locked_on", to: "null" },
            { column: "error", to: "null" },
          ],
          does: "Pending delivery, with no attempts counted.",
        },
        "dead-letter": {
          set: [
            { column: "state", to: { number: 2 } },
            { column: "locked_by", to: "null" },
            { column: "locked_on", to: "null" },
          ],
          does: "Maximum of attempts reached: the library leaves it alone until it is retried.",
        },
      },
    },
    traps: [
      "The application configures when a lock expires (MaxLockTimeDuration); no row says it.",
      "The cleaner deletes every record that is older than the application's limit, sent or not.",
    ],
  },
};
