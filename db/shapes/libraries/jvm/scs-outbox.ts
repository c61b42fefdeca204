import type { LibraryTable } from "../library-table-type.ts";
import { plainVerbs } from "../plain-verbs.ts";

const LIBRARY = "scs-outbox for Spring Cloud Stream";

/** A row is deleted once it is sent. */
export const scsOutbox: LibraryTable = {
  slug: "scs-outbox",
  library: LIBRARY,
  source: "12a447a; postgresql-outbox-table.sql, JdbcOutboxMessageRepository.java",
  name: /scsoutbox$/,
  required: ["id", "binding_name", "captured_at", "destination", "headers", "payload"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "payload",
      eventType: "binding_name",
      topic: "destination",
      headers: "headers",
      createdAt: "captured_at",
    },
    lifecycle: { kind: "rules", states: { waiting: { always: true } }, verbs: plainVerbs(LIBRARY) },
    traps: ["A row is there until it is sent, and then deleted or moved into scs_outbox_archive."],
  },
};

export const scsOutboxArchive: LibraryTable = {
  slug: "scs-outbox-archive",
  library: LIBRARY,
  source: "12a447a; postgresql-archive-table.sql",
  name: /scsoutboxarchive$/,
  required: ["id", "archived_at", "captured_at", "destination", "headers", "payload"],
  optional: ["content_type", "serialization", "json_payload"],
  kind: { role: "helper", reason: "messages that were sent" },
};
