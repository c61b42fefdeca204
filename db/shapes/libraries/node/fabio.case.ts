import { insertInto } from "../ids.fixture.ts";
import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (id: number, status: string, rest: Record<string, string | number> = {}) =>
  insertInto("outbox", {
    id,
    aggregate_id: "gen_random_uuid()",
    aggregate_type: "'order'",
    event_type: "'placed'",
    payload: "'{}'",
    created_at: "'2020-01-01T00:00:00Z'",
    status: `'${status}'`,
    ...rest,
  });
const key = (id: number) => [String(id), "2020-01-01T00:00:00.000000Z"];

export const fabioCase: LibraryCase = {
  slug: "fabioferreccio",
  ddl: {
    postgres: `CREATE TABLE outbox (id bigserial, tracking_id uuid NOT NULL DEFAULT gen_random_uuid(), aggregate_id uuid NOT NULL, aggregate_type text NOT NULL, event_type text NOT NULL,
        payload jsonb NOT NULL, metadata jsonb DEFAULT '{}', created_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz,
        status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'DEAD_LETTER')), retry_count int NOT NULL DEFAULT 0,
        max_retries int NOT NULL DEFAULT 5, locked_until timestamptz, lock_token bigint, last_error text, PRIMARY KEY (id, created_at)) PARTITION BY RANGE (created_at);
      CREATE TABLE outbox_default PARTITION OF outbox DEFAULT`,
  },
  table: "outbox",
  rows: [
    { key: key(1), state: "pending", insert: insert(1, "PENDING") },
    { key: key(2), state: "failed", insert: insert(2, "FAILED", { retry_count: 1, last_error: "'refused'" }) },
    {
      key: key(3),
      state: "in_flight",
      insert: insert(3, "PROCESSING", { locked_until: "'2035-01-01'", lock_token: 7 }),
    },
    { key: key(4), state: "pending", insert: insert(4, "PROCESSING", { locked_until: "'2020-01-01'", lock_token: 7 }) },
    {
      key: key(5),
      state: "in_flight",
      insert: insert(5, "PROCESSING", { locked_until: "'2035-01-01'", processed_at: "now()" }),
    },
    { key: key(6), state: "published", insert: insert(6, "COMPLETED", { processed_at: "now()" }) },
    { key: key(7), state: "dead", insert: insert(7, "DEAD_LETTER", { processed_at: "now()", retry_count: 5 }) },
    { key: key(8), state: "in_flight", insert: insert(8, "PROCESSING") },
  ],
  claims: `SELECT id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') FROM outbox
    WHERE (status IN ('PENDING', 'FAILED') AND (locked_until IS NULL OR locked_until < {now})) OR (status = 'PROCESSING' AND locked_until < {now})`,
};
