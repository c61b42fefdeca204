import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (id: string, values: string) =>
  `INSERT INTO outbox_entries VALUES ('shop', '${id}', 'k', 'p', ${values})`;

export const outboxenCase: LibraryCase = {
  slug: "outboxen-gorm",
  ddl: {
    postgres:
      "CREATE TABLE outbox_entries (namespace text NOT NULL, id text NOT NULL, key bytea, payload bytea, processor_id text, processing_deadline timestamptz, PRIMARY KEY (namespace, id))",
    mysql:
      "CREATE TABLE outbox_entries (namespace varchar(191) NOT NULL, id varchar(191) NOT NULL, `key` longblob, payload longblob, processor_id longtext, processing_deadline datetime(3) NULL, PRIMARY KEY (namespace, id))",
  },
  table: "outbox_entries",
  rows: [
    { key: ["shop", "new"], state: "pending", insert: insert("new", "'', NULL") },
    { key: ["shop", "nobody"], state: "pending", insert: insert("nobody", "NULL, NULL") },
    { key: ["shop", "freed"], state: "pending", insert: insert("freed", "'', '2035-01-01'") },
    { key: ["shop", "undated"], state: "pending", insert: insert("undated", "'p-1', NULL") },
    { key: ["shop", "claimed"], state: "in_flight", insert: insert("claimed", "'p-1', '2035-01-01'") },
    { key: ["shop", "left"], state: "pending", insert: insert("left", "'p-1', '2020-01-01'") },
  ],
  claims:
    "SELECT namespace, id FROM outbox_entries WHERE processor_id = '' OR processing_deadline IS NULL OR processing_deadline < {now}",
};
