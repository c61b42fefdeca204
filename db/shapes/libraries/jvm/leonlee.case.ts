import type { LibraryCase } from "../library-case.fixture.ts";

const columns =
  "event_id, event_type, payload, created_at, status, attempts, available_at, done_at, locked_by, locked_at";
const insert = (id: string, values: string) =>
  `INSERT INTO outbox_event (${columns}) VALUES ('${id}', 'placed', '{}', '2026-01-01', ${values})`;

export const leonleeCase: LibraryCase = {
  slug: "leonlee",
  ddl: {
    postgres: `CREATE TABLE outbox_event (event_id varchar(36) PRIMARY KEY, event_type varchar(128) NOT NULL, aggregate_type varchar(64), aggregate_id varchar(128),
      tenant_id varchar(64), payload jsonb NOT NULL, headers jsonb, status smallint NOT NULL, attempts int NOT NULL DEFAULT 0, available_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL, done_at timestamptz, last_error text, locked_by varchar(128), locked_at timestamptz)`,
    mysql: `CREATE TABLE outbox_event (event_id varchar(36) PRIMARY KEY, event_type varchar(128) NOT NULL, aggregate_type varchar(64), aggregate_id varchar(128),
      tenant_id varchar(64), payload json NOT NULL, headers json, status tinyint NOT NULL, attempts int NOT NULL DEFAULT 0, available_at datetime(6) NOT NULL,
      created_at datetime(6) NOT NULL, done_at datetime(6), last_error text, locked_by varchar(128), locked_at datetime(6),
      INDEX idx_status_available (status, available_at, created_at))`,
  },
  table: "outbox_event",
  rows: [
    { key: "new", state: "pending", insert: insert("new", "0, 0, '2026-01-01', NULL, NULL, NULL") },
    {
      key: "later",
      state: "pending",
      scheduled: true,
      insert: insert("later", "0, 0, '2035-01-01', NULL, NULL, NULL"),
    },
    { key: "again", state: "failed", insert: insert("again", "2, 1, '2026-01-01', NULL, NULL, NULL") },
    { key: "taken", state: "in_flight", insert: insert("taken", "0, 0, '2026-01-01', NULL, 'a', '2035-01-01'") },
    { key: "lost", state: "pending", insert: insert("lost", "0, 0, '2026-01-01', NULL, 'a', '2026-01-01'") },
    { key: "dead", state: "dead", insert: insert("dead", "3, 9, '2026-01-01', '2026-01-02', NULL, NULL") },
    { key: "done", state: "published", insert: insert("done", "1, 0, '2026-01-01', '2026-01-02', NULL, NULL") },
    { key: "odd", state: "unknown", insert: insert("odd", "7, 0, '2026-01-01', NULL, NULL, NULL") },
  ],
  claims:
    "SELECT event_id FROM outbox_event WHERE status IN (0, 2) AND available_at <= {now} AND (locked_by IS NULL OR locked_at < '2026-06-01')",
};
