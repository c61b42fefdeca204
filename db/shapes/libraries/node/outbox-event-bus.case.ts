import { idOf, insertInto } from "../ids.fixture.ts";
import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (n: number, status: string, rest: Record<string, string | number> = {}) =>
  insertInto("outbox_events", {
    id: `'${idOf(n)}'`,
    type: "'order.placed'",
    payload: "'{}'",
    occurred_at: "'2020-01-01'",
    status: `'${status}'`,
    ...rest,
  });
const DAY_AGO = "(now() AT TIME ZONE 'UTC') - interval '1 day'";
const JUST_NOW = "now() AT TIME ZONE 'UTC'";

const ROWS: LibraryCase["rows"] = [
  { key: idOf(1), state: "pending", insert: insert(1, "created") },
  { key: idOf(2), state: "in_flight", insert: insert(2, "active", { started_on: JUST_NOW, keep_alive: JUST_NOW }) },
  { key: idOf(3), state: "pending", insert: insert(3, "active", { started_on: DAY_AGO, keep_alive: DAY_AGO }) },
  { key: idOf(4), state: "in_flight", insert: insert(4, "active", { started_on: DAY_AGO }) },
  {
    key: idOf(5),
    state: "in_flight",
    insert: insert(5, "active", { started_on: DAY_AGO, keep_alive: DAY_AGO, expire_in_seconds: 999_999_999 }),
  },
  {
    key: idOf(6),
    state: "failed",
    insert: insert(6, "failed", { retry_count: 1, last_error: "'refused'", next_retry_at: "'2020-01-01'" }),
  },
  {
    key: idOf(7),
    state: "failed",
    scheduled: true,
    insert: insert(7, "failed", { retry_count: 4, last_error: "'refused'", next_retry_at: "'2035-01-01'" }),
  },
  { key: idOf(8), state: "unknown", insert: insert(8, "failed", { retry_count: 1, last_error: "'refused'" }) },
  {
    key: idOf(9),
    state: "dead",
    insert: insert(9, "failed", { retry_count: 5, last_error: "'refused'", next_retry_at: "'2020-01-01'" }),
  },
  { key: idOf(10), state: "published", insert: insert(10, "completed") },
];
const CLAIMS = `SELECT id FROM outbox_events WHERE status = 'created' OR (status = 'failed' AND retry_count < 5 AND next_retry_at < {utc})
  OR (status = 'active' AND keep_alive < {utc} - make_interval(secs => expire_in_seconds))`;

const columns = (
  id: string,
  status: string,
  completed: string,
) => `id ${id} PRIMARY KEY, type text NOT NULL, payload jsonb NOT NULL,
  occurred_at timestamp NOT NULL, status ${status} NOT NULL DEFAULT 'created', retry_count integer NOT NULL DEFAULT 0, last_error text,
  next_retry_at timestamp, created_on timestamp NOT NULL DEFAULT now(), started_on timestamp, ${completed} keep_alive timestamp,
  expire_in_seconds integer NOT NULL DEFAULT 300`;

/** As the adapter's schema has it. */
export const outboxEventBusCase: LibraryCase = {
  slug: "outbox-event-bus",
  ddl: {
    postgres: `CREATE TYPE outbox_status AS ENUM ('created', 'active', 'completed', 'failed');
      CREATE TABLE outbox_events (${columns("uuid", "outbox_status", "completed_on timestamp,")});
      CREATE TABLE outbox_events_archive (id uuid PRIMARY KEY, type text NOT NULL, payload jsonb NOT NULL, occurred_at timestamp NOT NULL,
        status outbox_status NOT NULL, retry_count integer NOT NULL, last_error text, created_on timestamp NOT NULL, started_on timestamp, completed_on timestamp NOT NULL)`,
  },
  table: "outbox_events",
  rows: ROWS,
  claims: CLAIMS,
};

/** As the adapter's README creates it. */
export const outboxEventBusTextCase: LibraryCase = {
  ...outboxEventBusCase,
  ddl: { postgres: `CREATE TABLE outbox_events (${columns("text", "text", "")})` },
};
