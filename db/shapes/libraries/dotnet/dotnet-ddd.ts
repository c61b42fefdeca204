import type { InboxOfLibrary, LibraryTable, OutboxOfLibrary } from "../library-table-type.ts";
import { plainVerbs } from "../plain-verbs.ts";

const LIBRARY = "the outbox of .NET templates (Bookify, Evently)";
const SOURCE = "public copies of one template; processed_on_utc is written after every attempt";
const REQUIRED = ["id", "type", "content", "occurred_on_utc", "processed_on_utc"];
const FORBIDDEN = ["attempts", "retry_count", "attempt_count", "status", "state", "next_retry_at", "next_attempt_at"];
const COLUMNS = {
  id: "id",
  payload: "content",
  eventType: "type",
  createdAt: "occurred_on_utc",
  publishedAt: "processed_on_utc",
} satisfies OutboxOfLibrary["columns"];
const INBOX_COLUMNS = {
  messageId: "id",
  eventType: "type",
  receivedAt: "occurred_on_utc",
  processedAt: "processed_on_utc",
} satisfies InboxOfLibrary["columns"];
const GIVEN_UP = [
  { column: "processed_on_utc", is: "set" },
  { column: "error", is: "set" },
] as const;
const SUCCEEDED = [
  { column: "processed_on_utc", is: "set" },
  { column: "error", is: "null" },
] as const;

export const dotnetDdd: LibraryTable = {
  slug: "dotnet-ddd",
  library: LIBRARY,
  source: SOURCE,
  name: /outboxmessages?$/,
  required: [...REQUIRED, "error"],
  forbidden: FORBIDDEN,
  kind: {
    role: "outbox",
    columns: { ...COLUMNS, lastError: "error" },
    lifecycle: {
      kind: "rules",
      states: {
        dead: { all: GIVEN_UP },
        published: { all: SUCCEEDED },
        waiting: { column: "processed_on_utc", is: "null" },
        failed: { column: "error", is: "set" },
      },
      verbs: {
        retry: {
          set: [
            { column: "processed_on_utc", to: "null" },
            { column: "error", to: "null" },
          ],
          does: "Not processed and without an error: the job sends it at its next run.",
        },
        "dead-letter": {
          set: [
            { column: "processed_on_utc", to: "now" },
            { column: "error", to: { word: "Dead-lettered by an operator." } },
          ],
          does: "Processed with an error: the job does not send it again.",
        },
      },
    },
    traps: ["processed_on_utc is set after a failed attempt too: a row with an error was tried once and not sent."],
  },
};

/** An older copy, which keeps no error. */
export const dotnetDddWithoutError: LibraryTable = {
  slug: "dotnet-ddd-without-error",
  library: LIBRARY,
  source: SOURCE,
  name: /outboxmessages?$/,
  required: REQUIRED,
  forbidden: [...FORBIDDEN, "error"],
  kind: {
    role: "outbox",
    columns: COLUMNS,
    lifecycle: {
      kind: "rules",
      states: {
        published: { column: "processed_on_utc", is: "set" },
        waiting: { column: "processed_on_utc", is: "null" },
      },
      verbs: plainVerbs("the job"),
    },
  },
};

export const dotnetDddInbox: LibraryTable = {
  slug: "dotnet-ddd-inbox",
  library: LIBRARY,
  source: SOURCE,
  name: /inboxmessages?$/,
  nameDecides: true,
  required: [...REQUIRED, "error"],
  forbidden: FORBIDDEN,
  kind: {
    role: "inbox",
    columns: { ...INBOX_COLUMNS, error: "error" },
    processed: { all: SUCCEEDED },
    failed: { column: "error", is: "set" },
  },
};

export const dotnetDddInboxWithoutError: LibraryTable = {
  slug: "dotnet-ddd-inbox-without-error",
  library: LIBRARY,
  source: SOURCE,
  name: /inboxmessages?$/,
  nameDecides: true,
  required: REQUIRED,
  forbidden: [...FORBIDDEN, "error"],
  kind: { role: "inbox", columns: INBOX_COLUMNS, processed: { column: "processed_on_utc", is: "set" } },
};

/** A row is written in the transaction of the handler. */
export const dotnetDddOutboxConsumers: LibraryTable = {
  slug: "dotnet-ddd-outbox-consumers",
  library: LIBRARY,
  source: SOURCE,
  name: /outboxmessageconsumers?$/,
  nameDecides: true,
  required: ["outbox_message_id", "name"],
  kind: { role: "inbox", columns: { messageId: "outbox_message_id", consumer: "name" }, processed: null },
};

export const dotnetDddInboxConsumers: LibraryTable = {
  slug: "dotnet-ddd-inbox-consumers",
  library: LIBRARY,
  source: SOURCE,
  name: /inboxmessageconsumers?$/,
  nameDecides: true,
  required: ["inbox_message_id", "name"],
  kind: { role: "inbox", columns: { messageId: "inbox_message_id", consumer: "name" }, processed: null },
};
