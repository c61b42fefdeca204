import type { LibraryTable, OutboxOfLibrary } from "../library-table-type.ts";
import { plainVerbs } from "../plain-verbs.ts";

const LIBRARY = "Paramore Brighter";
const SOURCE = "4032a065b; PostgreSqlOutboxBuilder.cs, MySqlOutboxBuilder.cs, PostgreSqlInboxBuilder.cs";
const REQUIRED = ["messageid", "topic", "messagetype", "timestamp", "dispatched", "headerbag", "body"];
const OPTIONAL = [
  "id",
  "correlationid",
  "replyto",
  "contenttype",
  "partitionkey",
  "workflowid",
  "jobid",
  "created",
  "createdid",
];

const COLUMNS = {
  id: "messageid",
  payload: "body",
  headers: "headerbag",
  topic: "topic",
  aggregateId: "partitionkey",
  createdAt: "timestamp",
  publishedAt: "dispatched",
};

/** The sweeper reads rows older than a time: it never finds one without a timestamp. */
const LIFECYCLE: OutboxOfLibrary["lifecycle"] = {
  kind: "rules",
  states: {
    published: { column: "dispatched", is: "set" },
    waiting: {
      all: [
        { column: "dispatched", is: "null" },
        { column: "timestamp", is: "set" },
      ],
    },
  },
  verbs: plainVerbs(LIBRARY),
};

const TRAPS = [
  "No row records a failure: the sweeper tries a row that cannot be sent again for ever, the newest rows first.",
];

/** Since it writes CloudEvents. */
export const brighter: LibraryTable = {
  slug: "brighter",
  library: LIBRARY,
  source: SOURCE,
  name: /outbox/,
  required: [...REQUIRED, "type"],
  optional: [
    ...OPTIONAL,
    "source",
    "dataschema",
    "subject",
    "traceparent",
    "tracestate",
    "baggage",
    "dataref",
    "causationid",
    "specversion",
  ],
  kind: {
    role: "outbox",
    columns: { ...COLUMNS, eventType: "type", traceId: "traceparent" },
    lifecycle: LIFECYCLE,
    traps: TRAPS,
  },
};

export const brighterOlder: LibraryTable = {
  slug: "brighter-before-cloudevents",
  library: LIBRARY,
  source: SOURCE,
  name: /outbox/,
  required: REQUIRED,
  optional: OPTIONAL,
  forbidden: ["type"],
  kind: {
    role: "outbox",
    columns: { ...COLUMNS, eventType: "messagetype" },
    lifecycle: LIFECYCLE,
    traps: TRAPS,
  },
};

export const brighterInbox: LibraryTable = {
  slug: "brighter-inbox",
  library: LIBRARY,
  source: SOURCE,
  name: /inbox/,
  required: ["commandid", "commandtype", "commandbody", "timestamp", "contextkey"],
  optional: ["causationid"],
  kind: {
    role: "inbox",
    columns: { messageId: "commandid", consumer: "contextkey", eventType: "commandtype", receivedAt: "timestamp" },
    processed: null,
  },
};
