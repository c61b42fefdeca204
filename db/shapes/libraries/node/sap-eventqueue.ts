import type { LibraryTable } from "../library-table-type.ts";

const LIBRARY = "@cap-js-community/event-queue";
const SOURCE = "db/Event.cds, db/Lock.cds, src/EventQueueProcessorBase.js";

/** A claim counts an attempt, so only the status Error says that one has failed. */
export const sapEventqueue: LibraryTable = {
  slug: "sap-eventqueue",
  library: LIBRARY,
  source: SOURCE,
  name: /eventqueueevent/,
  required: [
    "id",
    "type",
    "subtype",
    "referenceentity",
    "status",
    "payload",
    "attempts",
    "lastattempttimestamp",
    "startafter",
  ],
  optional: ["referenceentitykey", "createdat", "context", "error", "namespace"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      headers: "context",
      eventType: "type",
      topic: "subtype",
      aggregateType: "referenceentity",
      aggregateId: "referenceentitykey",
      createdAt: "createdat",
      attempts: "attempts",
      lastError: "error",
      availableAt: "startafter",
    },
    lifecycle: {
      kind: "rules",
      shown: "status",
      states: {
        published: { column: "status", in: [2] },
        dead: { column: "status", in: [4] },
        waiting: { column: "status", in: [0, 1, 3] },
        failed: { column: "status", in: [3] },
        countsTries: true,
        claim: {
          marked: { column: "status", in: [1] },
          ends: { column: "lastattempttimestamp", plusSeconds: 210, nullIsEndless: true },
        },
      },
      verbs: {
        retry: {
          set: [
            { column: "status", to: { number: 0 } },
            { column: "attempts", to: { number: 0 } },
            { column: "lastattempttimestamp", to: "null" },
            { column: "startafter", to: "null" },
            { column: "error", to: "null" },
          ],
          does: "Open and due, with no attempts counted.",
        },
        "dead-letter": {
          set: [{ column: "status", to: { number: 4 } }],
          does: "Exceeded: the library leaves it alone until it is retried.",
        },
      },
    },
    traps: [
      "A claim ends after 210 seconds, the library's default (3.5 times keepAliveInterval); no row says it.",
      "Status 5 is Suspended: such an event waits until someone resumes it, and is shown as unknown.",
    ],
  },
};

export const sapEventqueueLock: LibraryTable = {
  slug: "sap-eventqueue-lock",
  library: LIBRARY,
  source: SOURCE,
  name: /eventqueuelock/,
  nameDecides: true,
  required: ["code", "value"],
  optional: ["createdat", "createdby", "modifiedat", "modifiedby"],
  kind: { role: "helper", reason: "it has the locks of the event queue" },
};
