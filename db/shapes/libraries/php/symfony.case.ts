import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (id: number, queue: string, delivered: string, available = "2020-01-01") =>
  `INSERT INTO messenger_messages VALUES (${id}, 'O:36:"Envelope"', '[]', '${queue}', '2020-01-01', '${available}', ${delivered})`;
const NOW = "date_trunc('second', now() AT TIME ZONE 'UTC')";

const rows = (now: string): LibraryCase["rows"] => [
  { key: "1", state: "pending", insert: insert(1, "default", "NULL") },
  { key: "2", state: "pending", scheduled: true, insert: insert(2, "default", "NULL", "2035-01-01") },
  { key: "3", state: "in_flight", insert: insert(3, "default", now) },
  { key: "4", state: "pending", insert: insert(4, "default", "'2020-01-01'") },
  { key: "5", state: "dead", insert: insert(5, "failed", "NULL") },
  { key: "6", state: "dead", insert: insert(6, "failed", now) },
  { key: "7", state: "published", insert: insert(7, "default", "'9999-12-31 23:59:59'") },
];
const columns = (id: string, time: string) =>
  `CREATE TABLE messenger_messages (id ${id} PRIMARY KEY, body text NOT NULL, headers text NOT NULL, queue_name varchar(190) NOT NULL, created_at ${time} NOT NULL, available_at ${time} NOT NULL, delivered_at ${time} DEFAULT NULL)`;
const FIXED = {
  slug: "symfony-messenger",
  table: "messenger_messages",
  refuses: { retry: /messenger:failed:retry/ },
  claims:
    "SELECT id FROM messenger_messages WHERE queue_name = 'default' AND (delivered_at IS NULL OR delivered_at < {utc} - INTERVAL '3600' SECOND) AND available_at <= {utc}",
};

export const symfonyCases: readonly LibraryCase[] = [
  { ...FIXED, ddl: { postgres: columns("bigserial", "timestamp(0)") }, rows: rows(NOW) },
  { ...FIXED, ddl: { mysql: columns("bigint AUTO_INCREMENT", "datetime") }, rows: rows("UTC_TIMESTAMP()") },
];
