import type { LibraryCase } from "../library-case.fixture.ts";

const id = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
const insert = (number: number, values: string) =>
  `INSERT INTO outbox_messages VALUES ('${id(number)}', 'Placed', '{}', '2026-01-01', ${values})`;
const columns =
  "id uuid PRIMARY KEY, type text NOT NULL, content jsonb NOT NULL, occurred_on_utc timestamptz NOT NULL, processed_on_utc timestamptz";
const tables = (all: string) => `CREATE TABLE outbox_messages (${all}); CREATE TABLE inbox_messages (${all})`;
const claims = "SELECT id FROM outbox_messages WHERE processed_on_utc IS NULL";

const withError: LibraryCase = {
  slug: "dotnet-ddd",
  ddl: {
    postgres: `${tables(`${columns}, error text`)};
      CREATE TABLE outbox_message_consumers (outbox_message_id uuid NOT NULL, name varchar(500) NOT NULL, PRIMARY KEY (outbox_message_id, name));
      CREATE TABLE inbox_message_consumers (inbox_message_id uuid NOT NULL, name varchar(500) NOT NULL, PRIMARY KEY (inbox_message_id, name))`,
  },
  table: "outbox_messages",
  beside: {
    inbox_messages: "dotnet-ddd-inbox",
    outbox_message_consumers: "dotnet-ddd-outbox-consumers",
    inbox_message_consumers: "dotnet-ddd-inbox-consumers",
  },
  rows: [
    { key: id(1), state: "pending", insert: insert(1, "NULL, NULL") },
    { key: id(2), state: "published", insert: insert(2, "'2026-01-02', NULL") },
    { key: id(3), state: "dead", insert: insert(3, "'2026-01-02', 'refused'") },
    { key: id(4), state: "failed", insert: insert(4, "NULL, 'refused'") },
  ],
  claims,
};

const withoutError: LibraryCase = {
  slug: "dotnet-ddd-without-error",
  ddl: { postgres: tables(columns) },
  table: "outbox_messages",
  beside: { inbox_messages: "dotnet-ddd-inbox-without-error" },
  rows: [
    { key: id(1), state: "pending", insert: insert(1, "NULL") },
    { key: id(2), state: "published", insert: insert(2, "'2026-01-02'") },
  ],
  claims,
};

export const dotnetDddCases: readonly LibraryCase[] = [withError, withoutError];
