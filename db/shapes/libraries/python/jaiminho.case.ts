import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (id: number, sent: string) =>
  `INSERT INTO jaiminho_event VALUES (${id}, 'm', 'f', 'k', 'sig', '2020-01-01', ${sent}, NULL, 'keep-order')`;

export const jaiminhoCase: LibraryCase = {
  slug: "jaiminho",
  ddl: {
    postgres:
      "CREATE TABLE jaiminho_event (id bigserial PRIMARY KEY, message bytea, function bytea, kwargs bytea, signature varchar(255), created_at timestamptz NOT NULL, sent_at timestamptz, stream varchar(100), strategy varchar(100))",
  },
  table: "jaiminho_event",
  rows: [
    { key: "1", state: "pending", insert: insert(1, "NULL") },
    { key: "2", state: "published", insert: insert(2, "'2020-01-02'") },
  ],
  claims: "SELECT id FROM jaiminho_event WHERE sent_at IS NULL",
};
