import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (id: number, leader: string) =>
  `INSERT INTO outbox VALUES (${id}, '2020-01-01', 'orders', 'o-1', 'x', '{}', '{}', ${leader})`;

export const goharvestCase: LibraryCase = {
  slug: "goharvest",
  ddl: {
    postgres:
      "CREATE TABLE outbox (id bigserial PRIMARY KEY, create_time timestamptz NOT NULL, kafka_topic varchar(249) NOT NULL, kafka_key varchar(100) NOT NULL, kafka_value varchar(10000), kafka_header_keys text[] NOT NULL, kafka_header_values text[] NOT NULL, leader_id uuid)",
  },
  table: "outbox",
  rows: [
    { key: "1", state: "pending", insert: insert(1, "NULL") },
    { key: "2", state: "in_flight", insert: insert(2, "'00000000-0000-4000-8000-000000000001'") },
  ],
  claims: "SELECT id FROM outbox WHERE leader_id IS NULL",
};
