import type { LibraryTable, OutboxOfLibrary } from "../library-table-type.ts";

const LIBRARY = "pg-transactional-outbox";
const SOURCE = "aac88ba; lib/src/setup/database-setup.ts, message/*.ts";
const REQUIRED = [
  "id",
  "aggregate_type",
  "aggregate_id",
  "message_type",
  "payload",
  "locked_until",
  "processed_at",
  "abandoned_at",
  "started_attempts",
  "finished_attempts",
];
const OPTIONAL = ["metadata", "created_at", "segment", "concurrency"];
const CLEANUP =
  "The library deletes messages after 60 days, sent or not, processed ones after 7 days and abandoned ones after 14, unless it is configured otherwise.";
const ABANDONED = {
  all: [
    { column: "abandoned_at", is: "set" },
    { column: "processed_at", is: "null" },
  ],
} as const;
const OUTBOX = {
  role: "outbox",
  columns: {
    id: "id",
    payload: "payload",
    headers: "metadata",
    aggregateType: "aggregate_type",
    aggregateId: "aggregate_id",
    eventType: "message_type",
    createdAt: "created_at",
    publishedAt: "processed_at",
    attempts: "finished_attempts",
    lockedUntil: "locked_until",
  },
  lifecycle: {
    kind: "rules",
    states: {
      published: { column: "processed_at", is: "set" },
      dead: ABANDONED,
      waiting: {
        all: [
          { column: "processed_at", is: "null" },
          { column: "abandoned_at", is: "null" },
        ],
      },
      claim: { marked: { always: true }, ends: { column: "locked_until" } },
    },
    verbs: {
      retry: {
        set: [
          { column: "abandoned_at", to: "null" },
          { column: "started_attempts", to: { number: 0 } },
          { column: "finished_attempts", to: { number: 0 } },
          { column: "locked_until", to: "now" },
        ],
        does: "Not abandoned and not locked, with no attempts counted: the polling listener takes it.",
      },
      "dead-letter": {
        set: [{ column: "abandoned_at", to: "now" }],
        does: "Abandoned: the library leaves it alone, and its segment goes on.",
      },
    },
  },
  traps: [
    CLEANUP,
    "The listener that reads the replication slot sends a message when it is inserted, and does not come back for a retried one: only the polling listener does.",
  ],
} satisfies OutboxOfLibrary;

/** Outbox and inbox have the same columns: the name decides. */
export const trxOutbox: LibraryTable = {
  slug: "pg-transactional-outbox",
  library: LIBRARY,
  source: SOURCE,
  name: /outbox/,
  nameDecides: true,
  required: REQUIRED,
  optional: OPTIONAL,
  kind: OUTBOX,
};

export const trxInbox: LibraryTable = {
  slug: "pg-transactional-inbox",
  library: LIBRARY,
  source: SOURCE,
  name: /inbox/,
  nameDecides: true,
  required: REQUIRED,
  optional: OPTIONAL,
  kind: {
    role: "inbox",
    columns: { messageId: "id", eventType: "message_type", receivedAt: "created_at", processedAt: "processed_at" },
    processed: { column: "processed_at", is: "set" },
    failed: {
      all: [
        { column: "processed_at", is: "null" },
        {
          any: [
            { column: "abandoned_at", is: "set" },
            { column: "finished_attempts", atLeast: 1 },
          ],
        },
      ],
    },
    traps: [CLEANUP],
  },
};
