import type { LibraryCase } from "../library-case.fixture.ts";

export const gustavofrezeCase: LibraryCase = {
  slug: "gustavofreze",
  ddl: {
    postgres: `CREATE TABLE outbox_event (id varchar(36) PRIMARY KEY, aggregate_type varchar(255) NOT NULL, aggregate_id varchar(36) NOT NULL, event_type varchar(255) NOT NULL,
      revision int NOT NULL, payload json NOT NULL, occurred_on timestamp(6) NOT NULL, created_at timestamp(6) NOT NULL DEFAULT current_timestamp)`,
    mysql: `CREATE TABLE outbox_event (id varchar(36) PRIMARY KEY, aggregate_type varchar(255) NOT NULL, aggregate_id varchar(36) NOT NULL, event_type varchar(255) NOT NULL,
      revision int NOT NULL, payload json NOT NULL, occurred_on datetime(6) NOT NULL, created_at datetime(6) NOT NULL DEFAULT current_timestamp(6))`,
  },
  table: "outbox_event",
  rows: [
    {
      key: "one",
      state: "unknown",
      insert:
        "INSERT INTO outbox_event (id, aggregate_type, aggregate_id, event_type, revision, payload, occurred_on) VALUES ('one', 'Order', '7', 'Placed', 1, '{}', '2026-01-01')",
    },
  ],
  claims: null,
  refuses: { "dead-letter": /binlog position/ },
};
