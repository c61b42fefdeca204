import { insertInto } from "../ids.fixture.ts";
import type { LibraryCase } from "../library-case.fixture.ts";

const TASK =
  "task_id varchar(255) NOT NULL, task_name varchar(255) NOT NULL, args jsonb NOT NULL, kwargs jsonb NOT NULL, options jsonb NOT NULL, sentry_trace_id varchar(512), sentry_baggage varchar(2048), structlog_context text";
const DDL = {
  postgres: `CREATE TABLE celery_outbox (id bigserial PRIMARY KEY, created_at timestamptz NOT NULL, updated_at timestamptz, retries smallint NOT NULL, retry_after timestamptz, ${TASK});
    CREATE TABLE celery_outbox_dead_letter (id bigserial PRIMARY KEY, created_at timestamptz NOT NULL, dead_at timestamptz NOT NULL, retries smallint NOT NULL, ${TASK}, failure_reason text)`,
};
const task = (id: number) => ({
  id,
  created_at: "'2020-01-01'",
  task_id: `'${id}'`,
  task_name: "'mail'",
  args: "'[]'",
  kwargs: "'{}'",
  options: "'{}'",
});
const insert = (id: number, rest: Record<string, string | number> = {}) =>
  insertInto("celery_outbox", { ...task(id), retries: 0, ...rest });
const claims = (select: string) =>
  `SELECT ${select} FROM celery_outbox WHERE retries < 5 AND (updated_at IS NULL OR retry_after <= {now} OR (updated_at <= {now} - interval '5 minutes' AND retry_after IS NULL))`;

export const celeryOutboxCase: LibraryCase = {
  slug: "django-celery-outbox",
  ddl: DDL,
  table: "celery_outbox",
  rows: [
    { key: "1", state: "pending", insert: insert(1) },
    { key: "2", state: "in_flight", insert: insert(2, { updated_at: "now()" }) },
    { key: "3", state: "pending", insert: insert(3, { updated_at: "'2020-01-01'" }) },
    {
      key: "4",
      state: "failed",
      insert: insert(4, { retries: 1, updated_at: "now()", retry_after: "'2020-01-01'" }),
    },
    {
      key: "5",
      state: "failed",
      scheduled: true,
      insert: insert(5, { retries: 4, updated_at: "now()", retry_after: "'2035-01-01'" }),
    },
    { key: "6", state: "dead", insert: insert(6, { retries: 5, updated_at: "now()", retry_after: "'2035-01-01'" }) },
  ],
  claims: claims("id"),
};

/** A task that comes back gets a new id, so it is found by its task. */
export const celeryOutboxDeadLettersCase: LibraryCase = {
  slug: "django-celery-outbox-dead-letters",
  ddl: DDL,
  table: "celery_outbox_dead_letter",
  rows: [
    {
      key: "7",
      state: "dead",
      insert: insertInto("celery_outbox_dead_letter", { ...task(7), dead_at: "'2020-01-02'", retries: 5 }),
    },
  ],
  claims: claims("task_id"),
};
