import type { LibraryCase } from "../library-case.fixture.ts";

export const eventsauceCase: LibraryCase = {
  slug: "eventsauce",
  ddl: {
    postgres:
      "CREATE TABLE outbox_messages (id bigserial PRIMARY KEY, consumed smallint NOT NULL DEFAULT 0, payload varchar(16001) NOT NULL)",
    mysql:
      "CREATE TABLE outbox_messages (id bigint(20) unsigned AUTO_INCREMENT PRIMARY KEY, consumed tinyint(1) unsigned NOT NULL DEFAULT 0, payload varchar(16001) NOT NULL, KEY is_consumed (consumed, id))",
  },
  table: "outbox_messages",
  rows: [
    { key: "1", state: "pending", insert: "INSERT INTO outbox_messages VALUES (1, 0, '{}')" },
    { key: "2", state: "published", insert: "INSERT INTO outbox_messages VALUES (2, 1, '{}')" },
  ],
  claims: "SELECT id FROM outbox_messages WHERE consumed = 0",
};
