import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (id: number, published: string) =>
  `INSERT INTO outbox_messages OVERRIDING SYSTEM VALUE VALUES (${id}, 'kafka', 'orders', NULL, '{}', '2020-01-01', ${published})`;

export const pgxOutboxCase: LibraryCase = {
  slug: "pgx-outbox",
  ddl: {
    postgres: `CREATE TABLE outbox_messages (id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, broker text NOT NULL, topic text NOT NULL, metadata jsonb,
        payload jsonb NOT NULL, created_at timestamp DEFAULT CURRENT_TIMESTAMP NOT NULL, published_at timestamp);
      CREATE INDEX idx_outbox_messages_published_at_null ON outbox_messages (published_at) WHERE published_at IS NULL`,
  },
  table: "outbox_messages",
  rows: [
    { key: "1", state: "pending", insert: insert(1, "NULL") },
    { key: "2", state: "published", insert: insert(2, "'2020-01-02'") },
  ],
  claims: "SELECT id FROM outbox_messages WHERE published_at IS NULL",
};
