import type { LibraryCase } from "../library-case.fixture.ts";

const id = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;

const SENDS =
  "status = 'PENDING' AND next_retry_at <= {utc} OR status = 'IN_PROCESS' AND updated_at <= {utc} - INTERVAL {300 s}";

const POSTGRES = `
  CREATE TABLE outbox_events (id uuid PRIMARY KEY, status varchar(50) NOT NULL, event_type varchar(255) NOT NULL, payload_type varchar(255) NOT NULL, payload text NOT NULL,
    retry_count integer NOT NULL, next_retry_at timestamp NOT NULL, created_at timestamp NOT NULL, updated_at timestamp NOT NULL);
  CREATE INDEX idx_outbox_by_event_type_and_next_retry_at ON outbox_events (event_type, next_retry_at) WHERE status = 'PENDING';
  CREATE TABLE outbox_dlq_events (id uuid PRIMARY KEY, status varchar(50) NOT NULL, dlq_status varchar(50) NOT NULL, event_type varchar(255) NOT NULL,
    payload_type varchar(255) NOT NULL, payload text NOT NULL, retry_count integer NOT NULL, next_retry_at timestamp NOT NULL, created_at timestamp NOT NULL,
    updated_at timestamp NOT NULL, moved_at timestamp NOT NULL);
  CREATE TABLE outbox_consumed_events (id uuid PRIMARY KEY, consumed_at timestamp NOT NULL);
  CREATE TABLE outbox_jobs (job_name varchar(255) PRIMARY KEY, lock_until timestamptz NOT NULL, locked_by uuid, locked_at timestamptz NOT NULL,
    lock_at_least_for bigint NOT NULL, lock_at_most_for bigint NOT NULL)`;
const MYSQL = POSTGRES.replaceAll(" uuid", " binary(16)")
  .replaceAll(" timestamptz", " datetime(3)")
  .replaceAll(" timestamp ", " datetime ")
  .replace(/CREATE INDEX[^;]*;/, "");
const beside = {
  outbox_dlq_events: "oncebox-dead-letters",
  outbox_consumed_events: "oncebox-consumed",
  outbox_jobs: "oncebox-jobs",
};

const insert = (number: number, values: string) =>
  `INSERT INTO outbox_events (id, event_type, payload_type, payload, created_at, status, retry_count, next_retry_at, updated_at)
   VALUES ('${id(number)}', 'placed', 'Placed', '{}', '2026-01-01', ${values})`;

const postgres: LibraryCase = {
  slug: "oncebox",
  ddl: { postgres: POSTGRES },
  table: "outbox_events",
  beside,
  rows: [
    { key: id(1), state: "pending", insert: insert(1, "'PENDING', 0, '2026-01-01', '2026-01-01'") },
    { key: id(2), state: "pending", scheduled: true, insert: insert(2, "'PENDING', 0, '2035-01-01', '2026-01-01'") },
    { key: id(3), state: "failed", insert: insert(3, "'PENDING', 2, '2026-01-01', '2026-01-01'") },
    { key: id(4), state: "in_flight", insert: insert(4, "'IN_PROCESS', 0, '2026-01-01', '2035-01-01'") },
    { key: id(5), state: "pending", insert: insert(5, "'IN_PROCESS', 0, '2026-01-01', '2026-01-02'") },
    { key: id(6), state: "dead", insert: insert(6, "'FAILED', 3, '2026-01-01', '2026-01-01'") },
    { key: id(7), state: "published", insert: insert(7, "'PROCESSED', 0, '2026-01-01', '2026-01-01'") },
    { key: id(8), state: "unknown", insert: insert(8, "'ODD', 0, '2026-01-01', '2026-01-01'") },
  ],
  claims: `SELECT id FROM outbox_events WHERE ${SENDS.replace("{300 s}", "'300 s'")}`,
};

const insertDead = (number: number, status: string) =>
  `INSERT INTO outbox_dlq_events VALUES ('${id(number)}', 'FAILED', '${status}', 'placed', 'Placed', '{}', 3, '2026-01-01', '2026-01-01', '2026-01-01', '2026-01-02')`;

const deadLetters: LibraryCase = {
  slug: "oncebox-dead-letters",
  ddl: { postgres: POSTGRES },
  table: "outbox_dlq_events",
  rows: [
    { key: id(1), state: "dead", insert: insertDead(1, "MOVED") },
    { key: id(2), state: "dead", insert: insertDead(2, "RESOLVED") },
    { key: id(3), state: "pending", insert: insertDead(3, "TO_RETRY") },
    { key: id(4), state: "in_flight", insert: insertDead(4, "IN_PROCESS") },
    { key: id(5), state: "unknown", insert: insertDead(5, "ODD") },
  ],
  claims: "SELECT id FROM outbox_dlq_events WHERE dlq_status = 'TO_RETRY'",
};

/** Its ids are bytes. */
const bytes = (sql: string) => sql.replace(/'(00000000-[^']*)'/, "UUID_TO_BIN('$1')");

function inMysql(one: LibraryCase): LibraryCase {
  const claims = one.claims?.replace("SELECT id", "SELECT BIN_TO_UUID(id)").replace("'300 s'", "300 SECOND") ?? null;
  return {
    ...one,
    ddl: { mysql: MYSQL },
    rows: one.rows.map((row) => ({ ...row, insert: bytes(row.insert) })),
    claims,
  };
}

export const onceboxCases: readonly LibraryCase[] = [postgres, deadLetters, inMysql(postgres), inMysql(deadLetters)];
