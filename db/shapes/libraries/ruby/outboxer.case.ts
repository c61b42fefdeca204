import { insertInto } from "../ids.fixture.ts";
import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (id: number, status: string, rest: Record<string, string | number> = {}) =>
  insertInto("outboxer_messages", {
    id,
    status: `'${status}'`,
    messageable_id: "'42'",
    messageable_type: "'Event'",
    updated_at: "'2020-01-01'",
    queued_at: "'2020-01-01'",
    ...rest,
  });
const columns = (id: string, time: string) =>
  `id ${id} PRIMARY KEY, lock_version integer NOT NULL DEFAULT 0, status varchar(255) NOT NULL, messageable_id varchar(255) NOT NULL, messageable_type varchar(255) NOT NULL, updated_at ${time} NOT NULL, queued_at ${time} NOT NULL, publishing_at ${time} NULL, published_at ${time} NULL, failed_at ${time} NULL, publisher_id bigint, publisher_name varchar(263)`;

export const outboxerCase: LibraryCase = {
  slug: "outboxer",
  ddl: {
    postgres: `CREATE TABLE outboxer_messages (${columns("bigserial", "timestamp(6)")});
      CREATE TABLE outboxer_exceptions (id bigserial PRIMARY KEY, class_name varchar(255), message_text text NOT NULL, created_at timestamp(6) NOT NULL, message_id bigint NOT NULL REFERENCES outboxer_messages ON DELETE CASCADE);
      CREATE TABLE outboxer_frames (id bigserial PRIMARY KEY, index integer NOT NULL, text text NOT NULL, exception_id bigint NOT NULL REFERENCES outboxer_exceptions ON DELETE CASCADE);
      CREATE TABLE outboxer_publishers (id bigserial PRIMARY KEY, name varchar(263) NOT NULL, status varchar(255) NOT NULL, settings json NOT NULL, metrics json NOT NULL, created_at timestamp(6) NOT NULL, updated_at timestamp(6) NOT NULL);
      CREATE TABLE outboxer_threads (id bigserial PRIMARY KEY, hostname varchar(255) NOT NULL, process_id integer NOT NULL, thread_id integer NOT NULL, queued_message_count integer NOT NULL DEFAULT 0, created_at timestamp(6) NOT NULL, updated_at timestamp(6) NOT NULL)`,
    mysql: `CREATE TABLE outboxer_messages (${columns("bigint AUTO_INCREMENT", "datetime(6)")})`,
  },
  table: "outboxer_messages",
  rows: [
    { key: "1", state: "pending", insert: insert(1, "queued") },
    { key: "2", state: "in_flight", insert: insert(2, "publishing", { publishing_at: "'2020-01-01'" }) },
    { key: "3", state: "published", insert: insert(3, "published", { published_at: "'2020-01-01'" }) },
    { key: "4", state: "dead", insert: insert(4, "failed", { failed_at: "'2020-01-01'", publisher_name: "'p:1'" }) },
    { key: "5", state: "unknown", insert: insert(5, "buffered") },
  ],
  claims: "SELECT id FROM outboxer_messages WHERE status = 'queued'",
};
