import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (id: string, values: string) =>
  `INSERT INTO outbox_record (id, record_key, record_type, payload, created_at, partition_no, handler_id, status, failure_count, next_retry_at, completed_at)
   VALUES ('${id}', 'key-${id}', 'placed', '{}', '2026-01-01', 3, 'handler', ${values})`;

export const namastackCase: LibraryCase = {
  slug: "namastack",
  ddl: {
    postgres: `CREATE TABLE outbox_record (id varchar(255) PRIMARY KEY, status varchar(20) NOT NULL, record_key varchar(255) NOT NULL, record_type varchar(255) NOT NULL,
        payload text NOT NULL, context text, created_at timestamptz NOT NULL, completed_at timestamptz, failure_count int NOT NULL, failure_reason varchar(1000),
        next_retry_at timestamptz NOT NULL, partition_no integer NOT NULL, handler_id varchar(1000) NOT NULL);
      CREATE INDEX idx_outbox_record_status_retry ON outbox_record (status, next_retry_at);
      CREATE TABLE outbox_instance (instance_id varchar(255) PRIMARY KEY, hostname varchar(255) NOT NULL, port integer NOT NULL, status varchar(50) NOT NULL,
        started_at timestamptz NOT NULL, last_heartbeat timestamptz NOT NULL, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL);
      CREATE TABLE outbox_partition (partition_number integer PRIMARY KEY, instance_id varchar(255), version bigint NOT NULL DEFAULT 0, updated_at timestamptz NOT NULL)`,
    mysql: `CREATE TABLE outbox_record (id varchar(255) PRIMARY KEY, status varchar(20) NOT NULL, record_key varchar(255) NOT NULL, record_type varchar(255) NOT NULL,
        payload longtext NOT NULL, context longtext, created_at timestamp NOT NULL, completed_at timestamp NULL, failure_count int NOT NULL, failure_reason varchar(1000),
        next_retry_at timestamp NOT NULL, partition_no int NOT NULL, handler_id varchar(1000) NOT NULL, INDEX idx_outbox_record_status_retry (status, next_retry_at))`,
  },
  table: "outbox_record",
  beside: { outbox_instance: "namastack-instances", outbox_partition: "namastack-partitions" },
  rows: [
    { key: "new", state: "pending", insert: insert("new", "'NEW', 0, '2026-01-01', NULL") },
    { key: "later", state: "pending", scheduled: true, insert: insert("later", "'NEW', 0, '2035-01-01', NULL") },
    { key: "failing", state: "failed", insert: insert("failing", "'NEW', 2, '2026-01-01', NULL") },
    { key: "failed", state: "dead", insert: insert("failed", "'FAILED', 3, '2026-01-01', NULL") },
    { key: "sent", state: "published", insert: insert("sent", "'COMPLETED', 1, '2026-01-01', '2026-01-02'") },
    { key: "odd", state: "unknown", insert: insert("odd", "'PROCESSING', 0, '2026-01-01', NULL") },
  ],
  claims: "SELECT id FROM outbox_record WHERE status = 'NEW' AND next_retry_at <= {now} AND completed_at IS NULL",
};
