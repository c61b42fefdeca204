import { insertInto } from "../ids.fixture.ts";
import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (id: number, rest: Record<string, string | number> = {}) =>
  insertInto("outbox_entries", {
    id,
    resource_class: "'Order'",
    resource_id: "'1'",
    event_name: "'order_created'",
    context: "'shop'",
    created_at: "'2020-01-01'",
    updated_at: "'2020-01-01'",
    ...rest,
  });
const FAILED = { failed_at: "'2020-01-01'", error_class: "'Timeout'", error_message: "'late'", attempts: 2 };

export const bookingsyncCase: LibraryCase = {
  slug: "rails-transactional-outbox",
  ddl: {
    postgres: `CREATE TABLE outbox_entries (id bigserial PRIMARY KEY, resource_class varchar, resource_id varchar, event_name varchar NOT NULL, context varchar NOT NULL, processed_at timestamp,
      arguments jsonb NOT NULL DEFAULT '{}', changeset jsonb NOT NULL DEFAULT '{}', causality_key varchar, failed_at timestamp, retry_at timestamp, error_class varchar, error_message varchar,
      attempts integer NOT NULL DEFAULT 0, created_at timestamp(6) NOT NULL, updated_at timestamp(6) NOT NULL)`,
  },
  table: "outbox_entries",
  rows: [
    { key: "1", state: "pending", insert: insert(1) },
    { key: "2", state: "failed", insert: insert(2, { ...FAILED, retry_at: "'2020-01-01'" }) },
    { key: "3", state: "failed", scheduled: true, insert: insert(3, { ...FAILED, retry_at: "'2035-01-01'" }) },
    { key: "4", state: "published", insert: insert(4, { processed_at: "'2020-01-01'" }) },
    { key: "5", state: "published", insert: insert(5, { processed_at: "'2020-01-01'", attempts: 2 }) },
    { key: "6", state: "pending", scheduled: true, insert: insert(6, { retry_at: "'2035-01-01'" }) },
  ],
  claims: "SELECT id FROM outbox_entries WHERE processed_at IS NULL AND (retry_at IS NULL OR retry_at <= {utc})",
};
