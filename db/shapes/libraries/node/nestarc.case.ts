import { idOf, insertInto } from "../ids.fixture.ts";
import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (n: number, status: string, rest: Record<string, string | number> = {}) =>
  insertInto("outbox_events", {
    id: `'${idOf(n)}'`,
    event_type: "'order.placed'",
    payload: "'{}'",
    status: `'${status}'`,
    ...rest,
  });

export const nestarcCase: LibraryCase = {
  slug: "nestarc",
  ddl: {
    postgres: `CREATE TABLE outbox_events (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), event_type varchar(255) NOT NULL, payload jsonb NOT NULL,
        status varchar(20) NOT NULL DEFAULT 'PENDING', created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz,
        retry_count int NOT NULL DEFAULT 0, max_retries int NOT NULL DEFAULT 5, last_error text, tenant_id varchar(255),
        CHECK (status IN ('PENDING', 'PROCESSING', 'SENT', 'FAILED')));
      CREATE INDEX idx_outbox_pending ON outbox_events (created_at) WHERE status = 'PENDING'`,
  },
  table: "outbox_events",
  rows: [
    { key: idOf(1), state: "pending", insert: insert(1, "PENDING") },
    { key: idOf(2), state: "failed", insert: insert(2, "PENDING", { retry_count: 2, last_error: "'refused'" }) },
    { key: idOf(3), state: "in_flight", insert: insert(3, "PROCESSING") },
    { key: idOf(4), state: "pending", insert: insert(4, "PROCESSING", { updated_at: "now() - interval '1 day'" }) },
    {
      key: idOf(5),
      state: "failed",
      insert: insert(5, "PROCESSING", { updated_at: "now() - interval '1 day'", retry_count: 1 }),
    },
    { key: idOf(6), state: "published", insert: insert(6, "SENT", { processed_at: "now()" }) },
    {
      key: idOf(7),
      state: "published",
      insert: insert(7, "SENT", { processed_at: "now()", retry_count: 2, last_error: "'refused'" }),
    },
    { key: idOf(8), state: "dead", insert: insert(8, "FAILED", { retry_count: 5, last_error: "'refused'" }) },
  ],
  claims: `SELECT id FROM outbox_events WHERE (status = 'PENDING' AND (retry_count = 0 OR updated_at < {now} - make_interval(secs => pow(2, retry_count - 1))))
    OR (status = 'PROCESSING' AND updated_at < {now} - interval '300 s')`,
};
