import { idOf, insertInto } from "../ids.fixture.ts";
import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (id: number, status: number, rest: Record<string, string | number> = {}) =>
  insertInto("my_outbox_items", {
    id,
    uuid: `'${idOf(id)}'`,
    event_name: "'placed'",
    event_key: "'o-1'",
    bucket: 1,
    status,
    payload: "'x'",
    created_at: "'2020-01-01'",
    updated_at: "'2020-01-01'",
    ...rest,
  });
const columns = (
  bytes: string,
) => `id bigint PRIMARY KEY, uuid char(36) NOT NULL UNIQUE, event_name varchar(255) NOT NULL, event_key varchar(255) NOT NULL, bucket integer NOT NULL,
  status integer NOT NULL DEFAULT 0, options json, payload ${bytes} NOT NULL, errors_count integer NOT NULL DEFAULT 0, error_log text, processed_at timestamp NULL, created_at timestamp(6) NOT NULL, updated_at timestamp(6) NOT NULL`;

export const sbmtCase: LibraryCase = {
  slug: "sbmt-outbox",
  ddl: {
    postgres: `CREATE TABLE my_outbox_items (${columns("bytea")}); CREATE TABLE my_inbox_items (${columns("bytea")})`,
    mysql: `CREATE TABLE my_outbox_items (${columns("blob")})`,
  },
  table: "my_outbox_items",
  rows: [
    { key: "1", state: "pending", insert: insert(1, 0) },
    {
      key: "2",
      state: "failed",
      insert: insert(2, 0, { errors_count: 2, error_log: "'refused'", processed_at: "'2020-01-01'" }),
    },
    { key: "3", state: "dead", insert: insert(3, 1, { errors_count: 5, processed_at: "'2020-01-01'" }) },
    { key: "4", state: "published", insert: insert(4, 2, { processed_at: "'2020-01-01'" }) },
    { key: "5", state: "published", insert: insert(5, 2, { errors_count: 1, error_log: "'refused'" }) },
    { key: "6", state: "expired", insert: insert(6, 3, { processed_at: "'2020-01-01'" }) },
    { key: "7", state: "unknown", insert: insert(7, 9) },
  ],
  claims: "SELECT id FROM my_outbox_items WHERE status = 0",
};
