import { idOf, insertInto } from "../ids.fixture.ts";
import type { LibraryCase } from "../library-case.fixture.ts";

const OUTBOX = `id bigserial PRIMARY KEY, queue varchar(255) NOT NULL, payload bytea NOT NULL, headers jsonb, attempts_count bigint NOT NULL DEFAULT 0,
  deliveries_count bigint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now(), next_attempt_at timestamptz NOT NULL DEFAULT now(), first_attempt_at timestamptz,
  last_attempt_at timestamptz, acquired_at timestamptz, acquired_token uuid, timer_id varchar(255), CHECK ((acquired_token IS NULL) = (acquired_at IS NULL))`;
const DDL = {
  postgres: `CREATE TABLE outbox (${OUTBOX});
    CREATE TABLE outbox_dlq (id bigserial PRIMARY KEY, original_id bigint NOT NULL, queue varchar(255) NOT NULL, payload bytea NOT NULL, headers jsonb, deliveries_count bigint NOT NULL,
      created_at timestamptz NOT NULL, failed_at timestamptz NOT NULL DEFAULT now(), failure_reason varchar(64) NOT NULL, last_exception varchar, timer_id varchar(255))`,
};
const insert = (table: string, id: number, rest: Record<string, string | number> = {}) =>
  insertInto(table, { id, queue: `'q-${id}'`, payload: "'x'", ...rest });
const claims = (select: string, table: string) =>
  `SELECT ${select} FROM ${table} WHERE next_attempt_at <= {now} AND (acquired_token IS NULL OR acquired_at < {now} - interval '60 s')`;
const rows = (table: string): LibraryCase["rows"] => [
  { key: "1", state: "pending", insert: insert(table, 1) },
  { key: "2", state: "pending", scheduled: true, insert: insert(table, 2, { next_attempt_at: "'2035-01-01'" }) },
  { key: "3", state: "failed", insert: insert(table, 3, { attempts_count: 2, deliveries_count: 2 }) },
  {
    key: "4",
    state: "in_flight",
    insert: insert(table, 4, { acquired_at: "now()", acquired_token: `'${idOf(1)}'`, deliveries_count: 1 }),
  },
  {
    key: "5",
    state: "pending",
    insert: insert(table, 5, { acquired_at: "'2020-01-01'", acquired_token: `'${idOf(1)}'`, deliveries_count: 1 }),
  },
];

export const faststreamCase: LibraryCase = {
  slug: "faststream-outbox",
  ddl: DDL,
  table: "outbox",
  rows: rows("outbox"),
  claims: claims("id", "outbox"),
};

/** The library's table of dead letters is a choice of the team. */
export const faststreamAloneCase: LibraryCase = {
  slug: "faststream-outbox",
  ddl: { postgres: `CREATE TABLE sales_outboxdata (${OUTBOX})` },
  table: "sales_outboxdata",
  rows: rows("sales_outboxdata"),
  claims: claims("id", "sales_outboxdata"),
};

/** A message that comes back gets a new id, so it is found by its queue. */
export const faststreamDeadLettersCase: LibraryCase = {
  slug: "faststream-outbox-dead-letters",
  ddl: DDL,
  table: "outbox_dlq",
  rows: [
    {
      key: "7",
      state: "dead",
      insert: insert("outbox_dlq", 7, {
        original_id: 3,
        deliveries_count: 5,
        created_at: "'2020-01-01'",
        failure_reason: "'retry_terminal'",
      }),
    },
  ],
  claims: claims("substr(queue, 3)", "outbox"),
};
