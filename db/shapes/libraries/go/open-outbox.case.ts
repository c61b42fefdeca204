import { idOf, insertInto } from "../ids.fixture.ts";
import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (n: number, status: string, rest: Record<string, string | number> = {}) =>
  insertInto("openoutbox_events", {
    event_id: `'${idOf(n)}'`,
    event_type: "'placed'",
    payload: "'x'",
    status: `'${status}'`,
    ...rest,
  });

export const openOutboxCase: LibraryCase = {
  slug: "open-outbox",
  ddl: {
    postgres: `CREATE TABLE openoutbox_events (event_id uuid PRIMARY KEY, event_type text NOT NULL, partition_key text, payload bytea NOT NULL, headers jsonb NOT NULL DEFAULT '{}',
        status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'DELIVERING', 'DELIVERED', 'DEAD')), attempts int NOT NULL DEFAULT 0, last_error text,
        available_at timestamptz NOT NULL DEFAULT now(), locked_by text, locked_at timestamptz, delivered_at timestamptz, created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now());
      CREATE INDEX idx_openoutbox_processing_queue ON openoutbox_events (available_at, created_at) WHERE status = 'PENDING'`,
  },
  table: "openoutbox_events",
  rows: [
    { key: idOf(1), state: "pending", insert: insert(1, "PENDING") },
    { key: idOf(2), state: "pending", scheduled: true, insert: insert(2, "PENDING", { available_at: "'2035-01-01'" }) },
    { key: idOf(3), state: "failed", insert: insert(3, "PENDING", { attempts: 2, last_error: "'refused'" }) },
    { key: idOf(4), state: "in_flight", insert: insert(4, "DELIVERING", { locked_at: "now()", locked_by: "'r'" }) },
    {
      key: idOf(5),
      state: "pending",
      insert: insert(5, "DELIVERING", { locked_at: "now() - interval '1 day'", locked_by: "'r'" }),
    },
    { key: idOf(6), state: "pending", insert: insert(6, "DELIVERING") },
    { key: idOf(7), state: "published", insert: insert(7, "DELIVERED", { delivered_at: "now()" }) },
    { key: idOf(8), state: "dead", insert: insert(8, "DEAD", { attempts: 25, last_error: "'refused'" }) },
  ],
  claims: `SELECT event_id FROM openoutbox_events WHERE (status = 'PENDING' AND available_at <= {now}) OR (status = 'DELIVERING' AND (locked_at < {now} - interval '180 s' OR locked_at IS NULL))`,
};
