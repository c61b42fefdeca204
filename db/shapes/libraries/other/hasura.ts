import type { LibraryTable } from "../library-table-type.ts";

const LIBRARY = "Hasura's event triggers";
const SOURCE =
  "hdb_catalog as of 2.x; server/src-rsr/pg_source_migrations, the clean-up of event triggers in its documentation";
const SENT = {
  all: [
    { column: "delivered", is: "true" },
    { column: "error", is: "false" },
  ],
} as const;

/** `error` is a boolean: the trigger has used up its retries. */
export const hasura: LibraryTable = {
  slug: "hasura",
  library: LIBRARY,
  source: SOURCE,
  name: /eventlog/,
  required: [
    "id",
    "schema_name",
    "table_name",
    "trigger_name",
    "payload",
    "delivered",
    "error",
    "tries",
    "locked",
    "next_retry_at",
    "archived",
  ],
  optional: ["created_at"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      eventType: "trigger_name",
      aggregateType: "table_name",
      createdAt: "created_at",
      attempts: "tries",
      availableAt: "next_retry_at",
    },
    lifecycle: {
      kind: "rules",
      states: {
        published: SENT,
        dead: {
          all: [
            { column: "error", is: "true" },
            { column: "archived", is: "false" },
          ],
        },
        expired: { all: [{ column: "archived", is: "true" }, { not: SENT }] },
        waiting: {
          all: [
            { column: "delivered", is: "false" },
            { column: "error", is: "false" },
            { column: "archived", is: "false" },
          ],
        },
        claim: { marked: { column: "locked", is: "set" }, ends: { column: "locked", plusSeconds: 1800 } },
      },
      verbs: {
        retry: {
          set: [
            { column: "delivered", to: "false" },
            { column: "error", to: "false" },
            { column: "tries", to: { number: 0 } },
            { column: "next_retry_at", to: "null" },
            { column: "locked", to: "null" },
          ],
          does: "To be delivered, with no tries counted, as Hasura's redelivery does it.",
        },
        "dead-letter": {
          set: [
            { column: "error", to: "true" },
            { column: "locked", to: "null" },
          ],
          does: "In error: Hasura leaves it alone until it is retried.",
        },
      },
    },
    traps: [
      "The text of an error is in event_invocation_logs, in the response of the event's latest row.",
      "A lock ends after 30 minutes. Archived events belong to a trigger that was dropped, and are not delivered.",
    ],
  },
};

export const hasuraLogs: LibraryTable = {
  slug: "hasura-logs",
  library: LIBRARY,
  source: SOURCE,
  name: /eventinvocationlogs/,
  nameDecides: true,
  required: ["event_id", "status", "request", "response"],
  kind: { role: "helper", reason: "it has the calls that Hasura made, not the events" },
};
