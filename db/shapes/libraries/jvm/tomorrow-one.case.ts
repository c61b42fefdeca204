import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (id: number, processed: string) =>
  `INSERT INTO outbox_kafka (id, created, processed, topic, key, value) VALUES (${id}, '2026-01-01', ${processed}, 'orders', 'k', 'v')`;

export const tomorrowOneCase: LibraryCase = {
  slug: "tomorrow-one",
  ddl: {
    postgres: `CREATE TABLE outbox_kafka (id bigserial PRIMARY KEY, created timestamp NOT NULL, processed timestamp, topic varchar(128) NOT NULL, key varchar(128),
        value bytea NOT NULL, headers jsonb);
      CREATE INDEX idx_outbox_kafka_not_processed ON outbox_kafka (id) WHERE processed IS NULL;
      CREATE TABLE outbox_kafka_lock (id varchar(32) PRIMARY KEY, owner_id varchar(128) NOT NULL, valid_until timestamp NOT NULL)`,
  },
  table: "outbox_kafka",
  beside: { outbox_kafka_lock: "tomorrow-one-lock" },
  rows: [
    { key: "1", state: "pending", insert: insert(1, "NULL") },
    { key: "2", state: "published", insert: insert(2, "'2026-01-02'") },
  ],
  claims: "SELECT id FROM outbox_kafka WHERE processed IS NULL",
};
