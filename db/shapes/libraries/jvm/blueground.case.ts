import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (id: number, values: string) =>
  `INSERT INTO outbox_item (id, type, payload, created_at, updated_at, status, retries, next_run, rerun_after) VALUES (${id}, 'PLACED', '{}', '2026-01-01', '2026-01-01', ${values})`;

export const bluegroundCase: LibraryCase = {
  slug: "blueground",
  ddl: {
    postgres: `CREATE TABLE outbox_item (id bigint PRIMARY KEY, type text NOT NULL, status text NOT NULL, payload text NOT NULL, group_id text, retries bigint NOT NULL,
      next_run timestamp NOT NULL, last_execution timestamp, rerun_after timestamp, delete_after timestamp, version numeric DEFAULT 0, created_at timestamp NOT NULL,
      created_by numeric DEFAULT 0, updated_at timestamp NOT NULL, updated_by numeric DEFAULT 0)`,
  },
  table: "outbox_item",
  rows: [
    { key: "1", state: "pending", insert: insert(1, "'PENDING', 0, '2026-01-01', NULL") },
    { key: "2", state: "pending", scheduled: true, insert: insert(2, "'PENDING', 0, '2035-01-01', NULL") },
    { key: "3", state: "failed", insert: insert(3, "'PENDING', 2, '2026-01-01', '2026-01-01'") },
    { key: "4", state: "in_flight", insert: insert(4, "'RUNNING', 0, '2026-01-01', '2035-01-01'") },
    { key: "5", state: "pending", insert: insert(5, "'RUNNING', 0, '2026-01-01', '2026-01-02'") },
    { key: "6", state: "unknown", insert: insert(6, "'RUNNING', 0, '2026-01-01', NULL") },
    { key: "7", state: "dead", insert: insert(7, "'FAILED', 5, '2026-01-01', '2026-01-01'") },
    { key: "8", state: "published", insert: insert(8, "'COMPLETED', 1, '2026-01-01', '2026-01-01'") },
  ],
  claims:
    "SELECT id FROM outbox_item WHERE (status = 'PENDING' AND next_run < {utc}) OR (status = 'RUNNING' AND rerun_after < {utc})",
};
