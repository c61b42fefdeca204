import type { LibraryCase } from "../library-case.fixture.ts";

export const scsOutboxCase: LibraryCase = {
  slug: "scs-outbox",
  ddl: {
    postgres: `CREATE TABLE scs_outbox (id varchar(36) PRIMARY KEY, binding_name varchar(256) NOT NULL, captured_at timestamp NOT NULL, destination varchar(256) NOT NULL,
        headers text NOT NULL, payload bytea NOT NULL);
      CREATE TABLE scs_outbox_archive (id varchar(36) PRIMARY KEY, archived_at timestamptz NOT NULL, captured_at timestamptz NOT NULL, destination varchar(256) NOT NULL,
        content_type varchar(256) NOT NULL, headers text NOT NULL, payload bytea NOT NULL, serialization varchar(256) NOT NULL, json_payload jsonb)`,
    mysql: `CREATE TABLE scs_outbox (id varchar(36) PRIMARY KEY, binding_name varchar(256) NOT NULL, captured_at datetime(6) NOT NULL, destination varchar(256) NOT NULL,
        headers text NOT NULL, payload longblob NOT NULL)`,
  },
  table: "scs_outbox",
  beside: { scs_outbox_archive: "scs-outbox-archive" },
  rows: ["one", "two"].map((key) => ({
    key,
    state: "pending",
    insert: `INSERT INTO scs_outbox VALUES ('${key}', 'orders-out-0', '2026-01-01', 'orders', '{}', '{}')`,
  })),
  claims: "SELECT id FROM scs_outbox",
};
