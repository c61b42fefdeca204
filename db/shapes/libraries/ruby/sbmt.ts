import type { LibraryTable } from "../library-table-type.ts";

const LIBRARY = "sbmt-outbox";
const SOURCE = "44b85d6; README.md, app/models/sbmt/outbox/base_item.rb";
const REQUIRED = ["uuid", "event_key", "bucket", "status", "payload", "errors_count", "processed_at"];
const OPTIONAL = ["created_at", "updated_at", "id", "event_name", "options", "error_log"];

/**
 * processed_at is the time of the last attempt, whatever came of it. Teams name each table; the words outbox and inbox
 * stay.
 */
export const sbmtOutbox: LibraryTable = {
  slug: "sbmt-outbox",
  library: LIBRARY,
  source: SOURCE,
  name: /outbox/,
  nameDecides: true,
  required: REQUIRED,
  optional: OPTIONAL,
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      headers: "options",
      eventType: "event_name",
      aggregateId: "event_key",
      createdAt: "created_at",
      attempts: "errors_count",
      lastError: "error_log",
      order: "id",
    },
    lifecycle: {
      kind: "rules",
      shown: "status",
      states: {
        published: { column: "status", in: [2] },
        dead: { column: "status", in: [1] },
        expired: { column: "status", in: [3] },
        waiting: { column: "status", in: [0] },
      },
      verbs: {
        retry: {
          set: [
            { column: "status", to: { number: 0 } },
            { column: "errors_count", to: { number: 0 } },
            { column: "error_log", to: "null" },
            { column: "processed_at", to: "null" },
            { column: "updated_at", to: "now" },
          ],
          does: "Pending, with no errors counted and no last attempt, so that no delay applies.",
        },
        "dead-letter": {
          set: [
            { column: "status", to: { number: 1 } },
            { column: "updated_at", to: "now" },
          ],
          does: "Failed: the library leaves it alone until it is retried.",
        },
      },
    },
    traps: [
      "Status 3 is discarded: by default the library drops an event when a later one of its key was delivered, and a retried event can meet the same end.",
      "With strict_order a failing event is never given up, and holds up its bucket.",
    ],
  },
};

export const sbmtInbox: LibraryTable = {
  slug: "sbmt-inbox",
  library: LIBRARY,
  source: SOURCE,
  name: /inbox/,
  nameDecides: true,
  required: REQUIRED,
  optional: OPTIONAL,
  kind: {
    role: "inbox",
    columns: { messageId: "uuid", eventType: "event_name", receivedAt: "created_at", processedAt: "processed_at" },
    processed: { column: "status", in: [2] },
    failed: {
      any: [
        { column: "status", in: [1] },
        {
          all: [
            { column: "status", in: [0] },
            { column: "errors_count", atLeast: 1 },
          ],
        },
      ],
    },
    traps: ["processed_at is the time of the last attempt, so only the status says that a message was processed."],
  },
};
