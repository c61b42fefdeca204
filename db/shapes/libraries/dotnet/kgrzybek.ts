import type { LibraryTable } from "../library-table-type.ts";
import { plainVerbs } from "../plain-verbs.ts";

const LIBRARY = "kgrzybek's modular monolith";
const SOURCE = "91c8ef2; meetings/Tables/OutboxMessages.sql, InboxMessages.sql, InternalCommands.sql";
const REQUIRED = ["Id", "OccurredOn", "Type", "Data", "ProcessedDate"];

/** Outbox and inbox have the same columns: the name tells them apart. */
export const kgrzybekOutbox: LibraryTable = {
  slug: "kgrzybek",
  library: LIBRARY,
  source: SOURCE,
  name: /outboxmessages?$/,
  nameDecides: true,
  required: REQUIRED,
  forbidden: ["EnqueueDate", "Error"],
  kind: {
    role: "outbox",
    columns: { id: "Id", payload: "Data", eventType: "Type", createdAt: "OccurredOn", publishedAt: "ProcessedDate" },
    lifecycle: {
      kind: "rules",
      states: {
        published: { column: "ProcessedDate", is: "set" },
        waiting: { column: "ProcessedDate", is: "null" },
      },
      verbs: plainVerbs("the module's job"),
    },
  },
};

export const kgrzybekInbox: LibraryTable = {
  slug: "kgrzybek-inbox",
  library: LIBRARY,
  source: SOURCE,
  name: /inboxmessages?$/,
  nameDecides: true,
  required: REQUIRED,
  forbidden: ["EnqueueDate", "Error"],
  kind: {
    role: "inbox",
    columns: { messageId: "Id", eventType: "Type", receivedAt: "OccurredOn", processedAt: "ProcessedDate" },
    processed: { column: "ProcessedDate", is: "set" },
  },
};

/** Commands that a module gives itself. */
export const kgrzybekCommands: LibraryTable = {
  slug: "kgrzybek-commands",
  library: LIBRARY,
  source: SOURCE,
  name: /internalcommands?$/,
  required: ["Id", "EnqueueDate", "Type", "Data", "ProcessedDate", "Error"],
  kind: {
    role: "outbox",
    columns: {
      id: "Id",
      payload: "Data",
      eventType: "Type",
      createdAt: "EnqueueDate",
      publishedAt: "ProcessedDate",
      lastError: "Error",
    },
    lifecycle: {
      kind: "rules",
      states: {
        dead: {
          all: [
            { column: "ProcessedDate", is: "set" },
            { column: "Error", is: "set" },
          ],
        },
        published: {
          all: [
            { column: "ProcessedDate", is: "set" },
            { column: "Error", is: "null" },
          ],
        },
        waiting: { column: "ProcessedDate", is: "null" },
        failed: { column: "Error", is: "set" },
      },
      verbs: {
        retry: {
          set: [
            { column: "ProcessedDate", to: "null" },
            { column: "Error", to: "null" },
          ],
          does: "Not processed and without an error: the module runs it at its next poll.",
        },
        "dead-letter": {
          set: [
            { column: "ProcessedDate", to: "now" },
            { column: "Error", to: { word: "Dead-lettered by an operator." } },
          ],
          does: "Processed with an error: the module does not run it.",
        },
      },
    },
    traps: ["A row is a command that its own module runs, not an event for others."],
  },
};
