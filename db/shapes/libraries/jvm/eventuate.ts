import { epochMilliseconds } from "../epoch-milliseconds.ts";
import type { LibraryTable, OutboxOfLibrary } from "../library-table-type.ts";
import { plainVerbs } from "../plain-verbs.ts";

const LIBRARY = "Eventuate Tram";
const SOURCE = "eventuate-common 6de8d54d; 3.create-message-table.sql, 5.initialize-database-db-id.sql";
const REQUIRED = ["id", "destination", "headers", "payload", "published", "creation_time"];

/** Only the polling reader of Eventuate CDC writes `published`; a null is never read by it. */
const KIND: OutboxOfLibrary = {
  role: "outbox",
  columns: { id: "id", payload: "payload", headers: "headers", topic: "destination", createdAt: "creation_time" },
  times: epochMilliseconds("creation_time"),
  lifecycle: {
    kind: "rules",
    shown: "published",
    states: {
      published: { column: "published", in: [1] },
      waiting: { column: "published", in: [0] },
    },
    verbs: plainVerbs(LIBRARY),
  },
  traps: [
    "Only the polling reader of Eventuate CDC sets published to 1. With a reader of the log every row stays at 0, and its replication slot or binlog position says what was sent.",
    "With a reader of the log, a row that is put back is sent again, because it is inserted again.",
  ],
};

export const eventuate: LibraryTable = {
  slug: "eventuate",
  library: LIBRARY,
  source: SOURCE,
  name: /^message\d*$/,
  required: REQUIRED,
  optional: ["message_partition"],
  forbidden: ["dbid"],
  kind: KIND,
};

export const eventuateDbId: LibraryTable = {
  slug: "eventuate-dbid",
  library: "Eventuate Tram with ids of the database",
  source: SOURCE,
  name: /^message\d*$/,
  required: ["dbid", ...REQUIRED],
  optional: ["message_partition"],
  kind: { ...KIND, columns: { ...KIND.columns, id: "dbid", order: "dbid" } },
};

export const eventuateReceived: LibraryTable = {
  slug: "eventuate-received",
  library: LIBRARY,
  source: SOURCE,
  name: /receivedmessages$/,
  nameDecides: true,
  required: ["consumer_id", "message_id", "creation_time"],
  optional: ["published"],
  kind: {
    role: "inbox",
    columns: { messageId: "message_id", consumer: "consumer_id", receivedAt: "creation_time" },
    times: epochMilliseconds("creation_time"),
    processed: null,
  },
};

export const eventuateOffsets: LibraryTable = {
  slug: "eventuate-offsets",
  library: LIBRARY,
  source: SOURCE,
  name: /offsetstore$/,
  nameDecides: true,
  required: ["client_name", "serialized_offset"],
  kind: { role: "helper", reason: "how far each reader of the log has come" },
};

export const eventuateMonitoring: LibraryTable = {
  slug: "eventuate-monitoring",
  library: LIBRARY,
  source: SOURCE,
  name: /cdcmonitoring$/,
  nameDecides: true,
  required: ["reader_id", "last_time"],
  kind: { role: "helper", reason: "when each reader of the log was last alive" },
};
