import { insertInto } from "../ids.fixture.ts";
import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (id: string, rest: Record<string, string | number> = {}) =>
  insertInto("event_log", {
    id: `'${id}'`,
    schema_name: "'public'",
    table_name: "'orders'",
    trigger_name: "'mail'",
    payload: "'{}'",
    ...rest,
  });

export const hasuraCase: LibraryCase = {
  slug: "hasura",
  ddl: {
    postgres: `CREATE TABLE event_log (id text NOT NULL PRIMARY KEY DEFAULT gen_random_uuid()::text, schema_name text NOT NULL, table_name text NOT NULL, trigger_name text NOT NULL, payload jsonb NOT NULL,
        delivered boolean DEFAULT false NOT NULL, error boolean DEFAULT false NOT NULL, tries integer DEFAULT 0 NOT NULL, created_at timestamp DEFAULT now(), locked timestamptz, next_retry_at timestamp,
        archived boolean DEFAULT false NOT NULL);
      CREATE TABLE event_invocation_logs (id text DEFAULT gen_random_uuid()::text NOT NULL PRIMARY KEY, trigger_name text, event_id text, status integer, request json, response json, created_at timestamp DEFAULT now())`,
  },
  table: "event_log",
  rows: [
    { key: "new", state: "pending", insert: insert("new") },
    { key: "later", state: "pending", scheduled: true, insert: insert("later", { next_retry_at: "'2035-01-01'" }) },
    { key: "failing", state: "failed", insert: insert("failing", { tries: 2, next_retry_at: "'2020-01-01'" }) },
    { key: "locked", state: "in_flight", insert: insert("locked", { locked: "now()" }) },
    { key: "left", state: "pending", insert: insert("left", { locked: "now() - interval '1 day'" }) },
    { key: "sent", state: "published", insert: insert("sent", { delivered: "true", tries: 1 }) },
    {
      key: "sent-archived",
      state: "published",
      insert: insert("sent-archived", { delivered: "true", archived: "true", tries: 1 }),
    },
    { key: "over", state: "dead", insert: insert("over", { error: "true", tries: 5 }) },
    { key: "archived", state: "expired", insert: insert("archived", { archived: "true" }) },
    { key: "over-archived", state: "expired", insert: insert("over-archived", { error: "true", archived: "true" }) },
  ],
  claims: `SELECT id FROM event_log WHERE NOT delivered AND NOT error AND (locked IS NULL OR locked < {now} - interval '30 minutes')
    AND (next_retry_at IS NULL OR next_retry_at <= {utc}) AND NOT archived`,
};
