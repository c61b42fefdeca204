import { idOf } from "../ids.fixture.ts";
import type { LibraryCase } from "../library-case.fixture.ts";

export const activeOutboxCase: LibraryCase = {
  slug: "active-outbox",
  ddl: {
    postgres:
      "CREATE TABLE outboxes (id bigserial PRIMARY KEY, identifier uuid NOT NULL UNIQUE, event varchar NOT NULL, payload jsonb, aggregate varchar NOT NULL, aggregate_identifier bigint NOT NULL, created_at timestamp(6) NOT NULL, updated_at timestamp(6) NOT NULL)",
    mysql:
      "CREATE TABLE outboxes (id bigint AUTO_INCREMENT PRIMARY KEY, identifier varchar(36) NOT NULL UNIQUE, event varchar(255) NOT NULL, payload json, aggregate varchar(255) NOT NULL, aggregate_identifier bigint NOT NULL, created_at datetime(6) NOT NULL, updated_at datetime(6) NOT NULL)",
  },
  table: "outboxes",
  rows: [
    {
      key: "1",
      state: "unknown",
      insert: `INSERT INTO outboxes VALUES (1, '${idOf(1)}', 'placed', '{}', 'Order', 1, '2020-01-01', '2020-01-01')`,
    },
  ],
  claims: null,
  refuses: { "dead-letter": /No row of this table says/ },
};
