import type { LibraryCase } from "../library-case.fixture.ts";

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const insert = (n: number, due: string, attempts: number) =>
  `INSERT INTO outbox VALUES ('${id(n)}', '2020-01-01', '${due}', NULL, 'x', ${attempts})`;

export const oagudoCase: LibraryCase = {
  slug: "oagudo",
  ddl: {
    postgres:
      "CREATE TABLE outbox (id uuid PRIMARY KEY, created_at timestamptz NOT NULL, scheduled_at timestamptz NOT NULL, metadata bytea, payload bytea NOT NULL, times_attempted integer NOT NULL)",
    mysql:
      "CREATE TABLE outbox (id char(36) PRIMARY KEY, created_at timestamp(3) NOT NULL, scheduled_at timestamp(3) NOT NULL, metadata blob, payload blob NOT NULL, times_attempted int NOT NULL)",
  },
  table: "outbox",
  rows: [
    { key: id(1), state: "pending", insert: insert(1, "2020-01-01", 0) },
    { key: id(2), state: "pending", scheduled: true, insert: insert(2, "2035-01-01", 0) },
    { key: id(3), state: "failed", insert: insert(3, "2020-01-02", 2) },
    { key: id(4), state: "failed", scheduled: true, insert: insert(4, "2035-01-01", 2) },
  ],
  claims: "SELECT id FROM outbox WHERE scheduled_at <= {now}",
};
