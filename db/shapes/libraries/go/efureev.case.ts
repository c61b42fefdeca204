import type { LibraryCase } from "../library-case.fixture.ts";

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const TOKEN = "'00000000-0000-4000-9000-000000000000'";

function insert(n: number, status: number, rest: Record<string, string> = {}): string {
  const values = {
    id: `'${id(n)}'`,
    stream: "'shop'",
    topic: "'order'",
    payload: "'x'",
    status: String(status),
    ...rest,
  };
  return `INSERT INTO messages (${Object.keys(values).join(", ")}) VALUES (${Object.values(values).join(", ")})`;
}

export const efureevCase: LibraryCase = {
  slug: "go-outbox",
  ddl: {
    postgres: `CREATE TABLE messages (id uuid PRIMARY KEY, stream text NOT NULL, topic text NOT NULL, payload bytea NOT NULL, headers jsonb NOT NULL DEFAULT '{}',
        target jsonb NOT NULL DEFAULT '{}', status smallint NOT NULL DEFAULT 0, attempts integer NOT NULL DEFAULT 0, available_at timestamptz NOT NULL DEFAULT now(),
        lease_token uuid, lease_until timestamptz, owner text, last_error text, created_at timestamptz NOT NULL DEFAULT now(), dispatched_at timestamptz,
        deferred_since timestamptz, CHECK (status BETWEEN 0 AND 3),
        CHECK (((status = 1) = (lease_token IS NOT NULL)) AND ((lease_token IS NULL) = (lease_until IS NULL))));
      CREATE INDEX ON messages (stream, available_at, id) WHERE status = 0;
      CREATE TABLE inbox (id uuid PRIMARY KEY, stream text NOT NULL, topic text NOT NULL, payload bytea NOT NULL, headers jsonb NOT NULL DEFAULT '{}',
        received_at timestamptz NOT NULL DEFAULT now(), processed_at timestamptz, attempts integer NOT NULL DEFAULT 0, last_error text)`,
  },
  table: "messages",
  rows: [
    { key: id(1), state: "pending", insert: insert(1, 0) },
    { key: id(2), state: "pending", scheduled: true, insert: insert(2, 0, { available_at: "'2035-01-01'" }) },
    { key: id(3), state: "failed", insert: insert(3, 0, { attempts: "2", last_error: "'refused'" }) },
    {
      key: id(4),
      state: "pending",
      insert: insert(4, 0, { deferred_since: "'2020-01-01'", last_error: "'broker away'" }),
    },
    { key: id(5), state: "in_flight", insert: insert(5, 1, { lease_token: TOKEN, lease_until: "'2035-01-01'" }) },
    {
      key: id(6),
      state: "pending",
      insert: insert(6, 1, { lease_token: TOKEN, lease_until: "'2020-01-01'", owner: "'a'" }),
    },
    {
      key: id(7),
      state: "failed",
      insert: insert(7, 1, { lease_token: TOKEN, lease_until: "'2020-01-01'", attempts: "1" }),
    },
    { key: id(8), state: "published", insert: insert(8, 2, { dispatched_at: "now()" }) },
    { key: id(9), state: "dead", insert: insert(9, 3, { attempts: "20", last_error: "'refused'" }) },
  ],
  claims:
    "SELECT id FROM messages WHERE (status = 0 AND available_at <= {now}) OR (status = 1 AND lease_until <= {now})",
};
