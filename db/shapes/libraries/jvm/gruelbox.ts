import type { LibraryTable } from "../library-table-type.ts";

/** A topic other than `*` is delivered in the order of `seq`; the library then ignores `blocked`. */
export const gruelbox: LibraryTable = {
  slug: "gruelbox",
  library: "gruelbox transaction-outbox",
  source: "d6196507; DefaultDialect.java, DefaultPersistor.java",
  name: /txnooutbox/,
  required: ["id", "invocation", "nextattempttime", "attempts", "blocked", "version", "processed"],
  optional: ["uniquerequestid", "lastattempttime", "topic", "seq"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "invocation",
      attempts: "attempts",
      availableAt: "nextattempttime",
      topic: "topic",
      order: "seq",
    },
    lifecycle: {
      kind: "rules",
      states: {
        published: { column: "processed", is: "true" },
        dead: { all: [{ column: "blocked", is: "true" }, { not: { column: "processed", is: "true" } }] },
        waiting: { all: [{ not: { column: "blocked", is: "true" } }, { not: { column: "processed", is: "true" } }] },
      },
      verbs: {
        retry: {
          set: [
            { column: "attempts", to: { number: 0 } },
            { column: "blocked", to: "false" },
            { column: "nextattempttime", to: "now" },
            { column: "version", to: "increment" },
          ],
          does: "Unblocked: attempts are 0 and the library runs it at its next flush.",
        },
        "dead-letter": {
          set: [
            { column: "blocked", to: "true" },
            { column: "version", to: "increment" },
          ],
          does: "Blocked: the library leaves it alone until it is retried.",
        },
      },
    },
    traps: [
      "The payload is a method call with its arguments, not an event.",
      "The library stores no error, and deletes a row that has succeeded unless it has a unique request id.",
    ],
  },
};

export const gruelboxSequence: LibraryTable = {
  slug: "gruelbox-sequence",
  library: "gruelbox transaction-outbox",
  source: "d6196507; DefaultDialect.java",
  name: /txnosequence$/,
  nameDecides: true,
  required: ["topic", "seq"],
  kind: { role: "helper", reason: "the last number of each topic" },
};

export const gruelboxVersion: LibraryTable = {
  slug: "gruelbox-version",
  library: "gruelbox transaction-outbox",
  source: "d6196507; DefaultDialect.java",
  name: /txnoversion$/,
  nameDecides: true,
  required: ["version"],
  optional: ["id"],
  kind: { role: "helper", reason: "the version of the library's tables" },
};
