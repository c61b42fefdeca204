import type { LibraryTable } from "../library-table-type.ts";

const LIBRARY = "outbox-event-bus";
const SOURCE = "d77ad86; adapters/postgres-drizzle/src/schema.ts, postgres-drizzle-outbox.ts";
const MAX_RETRIES = 5;

/** A failed event is tried again while it has a due time and fewer retries than the limit. */
export const outboxEventBus: LibraryTable = {
  slug: "outbox-event-bus",
  library: LIBRARY,
  source: SOURCE,
  name: /outbox/,
  required: [
    "id",
    "type",
    "payload",
    "occurred_at",
    "status",
    "retry_count",
    "next_retry_at",
    "keep_alive",
    "expire_in_seconds",
  ],
  optional: ["last_error", "created_on", "started_on", "completed_on"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      eventType: "type",
      createdAt: "created_on",
      publishedAt: "completed_on",
      attempts: "retry_count",
      lastError: "last_error",
      availableAt: "next_retry_at",
    },
    lifecycle: {
      kind: "rules",
      shown: "status",
      states: {
        published: { column: "status", in: ["completed"] },
        dead: {
          all: [
            { column: "status", in: ["failed"] },
            { column: "retry_count", atLeast: MAX_RETRIES },
          ],
        },
        waiting: {
          any: [
            { column: "status", in: ["created", "active"] },
            {
              all: [
                { column: "status", in: ["failed"] },
                { column: "next_retry_at", is: "set" },
                { not: { column: "retry_count", atLeast: MAX_RETRIES } },
              ],
            },
          ],
        },
        failed: { column: "status", in: ["failed"] },
        claim: {
          marked: { column: "status", in: ["active"] },
          ends: { column: "keep_alive", plusSecondsOf: "expire_in_seconds", nullIsEndless: true },
        },
      },
      verbs: {
        retry: {
          set: [
            { column: "status", to: { word: "created" } },
            { column: "retry_count", to: { number: 0 } },
            { column: "next_retry_at", to: "null" },
            { column: "last_error", to: "null" },
            { column: "started_on", to: "null" },
            { column: "keep_alive", to: "null" },
          ],
          does: "Created, with no retries counted: the library takes it at its next poll.",
        },
        "dead-letter": {
          set: [
            { column: "status", to: { word: "failed" } },
            { column: "retry_count", to: { number: MAX_RETRIES } },
            { column: "next_retry_at", to: "null" },
          ],
          does: "Failed with all 5 retries and no due time: the library leaves it alone.",
        },
      },
    },
    traps: [
      "An event is dead after 5 retries, the library's default. The application may configure another limit (maxRetries), which no row says.",
      "A sent event is moved into outbox_events_archive.",
    ],
  },
};

export const outboxEventBusArchive: LibraryTable = {
  slug: "outbox-event-bus-archive",
  library: LIBRARY,
  source: SOURCE,
  name: /outbox.*archive/,
  nameDecides: true,
  required: ["id", "type", "payload", "occurred_at", "status", "retry_count", "completed_on"],
  optional: ["created_on", "last_error", "started_on"],
  forbidden: ["keep_alive", "next_retry_at"],
  kind: { role: "helper", reason: "it has the events that outbox-event-bus has sent" },
};
