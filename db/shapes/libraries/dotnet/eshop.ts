import type { LibraryTable } from "../library-table-type.ts";

/** States: 0 not published, 1 in progress, 2 published, 3 failed. */
export const eShop: LibraryTable = {
  slug: "eshop",
  library: "eShop's IntegrationEventLog",
  source: "5624ad5; IntegrationEventLogEntry.cs, 20231026091140_Outbox.cs",
  name: /integrationeventlogs?$/,
  required: ["EventId", "EventTypeName", "State", "TimesSent", "CreationTime", "Content"],
  optional: ["TransactionId"],
  kind: {
    role: "outbox",
    columns: {
      id: "EventId",
      payload: "Content",
      eventType: "EventTypeName",
      createdAt: "CreationTime",
      attempts: "TimesSent",
    },
    lifecycle: {
      kind: "rules",
      shown: "State",
      states: {
        published: { column: "State", in: [2] },
        dead: { column: "State", in: [3] },
        waiting: { column: "State", in: [0, 1] },
        countsTries: true,
        claim: { marked: { column: "State", in: [1] } },
      },
      verbs: {
        retry: {
          set: [{ column: "State", to: { number: 0 } }],
          does: "Not published (0). eShop sends a row only in the request that wrote it, so a program of yours has to send this one.",
        },
        "dead-letter": {
          set: [{ column: "State", to: { number: 3 } }],
          does: "Failed (3): nothing sends it.",
        },
      },
    },
    traps: [
      "The request that writes a row sends it after its commit, and no relay tries it again: a row that was not published then stays unpublished.",
    ],
  },
};
