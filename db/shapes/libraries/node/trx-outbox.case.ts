import { idOf, insertInto } from "../ids.fixture.ts";
import type { LibraryCase } from "../library-case.fixture.ts";

const COLUMNS = `id uuid PRIMARY KEY, aggregate_type text NOT NULL, aggregate_id text NOT NULL, message_type text NOT NULL, segment text,
  concurrency text NOT NULL DEFAULT 'sequential' CHECK (concurrency IN ('sequential', 'parallel')), payload jsonb NOT NULL, metadata jsonb,
  locked_until timestamptz NOT NULL DEFAULT to_timestamp(0), created_at timestamptz NOT NULL DEFAULT clock_timestamp(), processed_at timestamptz,
  abandoned_at timestamptz, started_attempts smallint NOT NULL DEFAULT 0, finished_attempts smallint NOT NULL DEFAULT 0`;
const insert = (n: number, rest: Record<string, string | number> = {}) =>
  insertInto("outbox", {
    id: `'${idOf(n)}'`,
    aggregate_type: "'order'",
    aggregate_id: "'o-1'",
    message_type: "'placed'",
    payload: "'{}'",
    ...rest,
  });

export const trxOutboxCase: LibraryCase = {
  slug: "pg-transactional-outbox",
  ddl: { postgres: `CREATE TABLE outbox (${COLUMNS}); CREATE TABLE inbox (${COLUMNS})` },
  table: "outbox",
  rows: [
    { key: idOf(1), state: "pending", insert: insert(1) },
    { key: idOf(2), state: "in_flight", insert: insert(2, { locked_until: "'2035-01-01'", started_attempts: 1 }) },
    { key: idOf(3), state: "pending", insert: insert(3, { locked_until: "'2020-01-01'", started_attempts: 1 }) },
    {
      key: idOf(4),
      state: "failed",
      insert: insert(4, { locked_until: "'2020-01-01'", started_attempts: 2, finished_attempts: 2 }),
    },
    {
      key: idOf(5),
      state: "published",
      insert: insert(5, { processed_at: "now()", started_attempts: 1, finished_attempts: 1 }),
    },
    {
      key: idOf(6),
      state: "published",
      insert: insert(6, { processed_at: "now()", locked_until: "'2035-01-01'", started_attempts: 1 }),
    },
    {
      key: idOf(7),
      state: "dead",
      insert: insert(7, { abandoned_at: "now()", started_attempts: 5, finished_attempts: 5 }),
    },
    { key: idOf(8), state: "dead", insert: insert(8, { abandoned_at: "now()", locked_until: "'2035-01-01'" }) },
  ],
  claims: "SELECT id FROM outbox WHERE processed_at IS NULL AND abandoned_at IS NULL AND NOT locked_until > {now}",
};
