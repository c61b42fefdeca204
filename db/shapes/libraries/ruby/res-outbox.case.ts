import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (id: number, enqueued: string) =>
  `INSERT INTO event_store_outbox VALUES (${id}, 'o-1', 'sidekiq5', 'x', '2020-01-01', ${enqueued})`;

export const resOutboxCase: LibraryCase = {
  slug: "rails-event-store",
  ddl: {
    postgres: `CREATE TABLE event_store_outbox (id bigserial PRIMARY KEY, split_key varchar, format varchar NOT NULL, payload bytea NOT NULL, created_at timestamp(6) NOT NULL, enqueued_at timestamp(6));
      CREATE TABLE event_store_outbox_locks (id bigserial PRIMARY KEY, format varchar NOT NULL, split_key varchar NOT NULL, locked_at timestamp(6), locked_by varchar(36))`,
    mysql: `CREATE TABLE event_store_outbox (id bigint AUTO_INCREMENT PRIMARY KEY, split_key varchar(255), format varchar(255) NOT NULL, payload longblob NOT NULL, created_at datetime(6) NOT NULL, enqueued_at datetime(6));
      CREATE TABLE event_store_outbox_locks (id bigint AUTO_INCREMENT PRIMARY KEY, format varchar(255) NOT NULL, split_key varchar(255) NOT NULL, locked_at datetime(6), locked_by varchar(36))`,
  },
  table: "event_store_outbox",
  rows: [
    { key: "1", state: "pending", insert: insert(1, "NULL") },
    { key: "2", state: "published", insert: insert(2, "'2020-01-02'") },
  ],
  claims: "SELECT id FROM event_store_outbox WHERE enqueued_at IS NULL",
};
