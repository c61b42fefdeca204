import { idOf, insertInto } from "../ids.fixture.ts";
import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (n: number, status: string, rest: Record<string, string | number> = {}) =>
  insertInto("outbox_events", {
    id: `'${idOf(n)}'`,
    aggregate_type: "'order'",
    aggregate_id: "'o-1'",
    event_type: "'placed'",
    payload: "'{}'",
    destination_url: "'http://shop'",
    status: `'${status}'`,
    created_at: "'2020-01-01'",
    ...rest,
  });

export const outboxyCase: LibraryCase = {
  slug: "outboxy",
  ddl: {
    postgres: `CREATE TABLE outbox_events (id uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL, aggregate_type varchar(255) NOT NULL, aggregate_id varchar(255) NOT NULL,
        event_type varchar(255) NOT NULL, event_version integer DEFAULT 1 NOT NULL, payload jsonb NOT NULL, headers jsonb DEFAULT '{}', destination_url varchar(1000) NOT NULL,
        destination_type varchar(50) DEFAULT 'http' NOT NULL, idempotency_key varchar(255),
        status varchar(50) DEFAULT 'pending' NOT NULL CHECK (status IN ('pending', 'processing', 'succeeded', 'failed', 'dlq', 'cancelled')),
        retry_count integer DEFAULT 0 NOT NULL, max_retries integer DEFAULT 5 NOT NULL, next_retry_at timestamp, backoff_multiplier numeric(3, 2) DEFAULT 2.0,
        last_error varchar(1000), error_details jsonb, created_at timestamp DEFAULT now() NOT NULL, updated_at timestamp DEFAULT now() NOT NULL,
        processing_started_at timestamp, processed_at timestamp, metadata jsonb DEFAULT '{}', processed_by_worker varchar(255), deleted_at timestamp,
        created_date timestamp GENERATED ALWAYS AS (created_at::date) STORED NOT NULL);
      CREATE TABLE inbox_events (id uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL, idempotency_key varchar(255) NOT NULL, source varchar(255),
        aggregate_type varchar(255) NOT NULL, aggregate_id varchar(255) NOT NULL, event_type varchar(255) NOT NULL, event_version integer DEFAULT 1 NOT NULL,
        payload jsonb NOT NULL, headers jsonb DEFAULT '{}', metadata jsonb DEFAULT '{}',
        status varchar(20) DEFAULT 'processed' NOT NULL CHECK (status IN ('processed', 'failed')), error text, received_at timestamp DEFAULT now() NOT NULL, processed_at timestamp DEFAULT now());
      CREATE TABLE outbox_config (id serial PRIMARY KEY, key varchar(255) NOT NULL UNIQUE, value jsonb NOT NULL, description text, updated_at timestamp DEFAULT now() NOT NULL, updated_by varchar(255))`,
    mysql: `CREATE TABLE outbox_events (id char(36) NOT NULL PRIMARY KEY, aggregate_type varchar(255) NOT NULL, aggregate_id varchar(255) NOT NULL, event_type varchar(255) NOT NULL,
        event_version int DEFAULT 1 NOT NULL, payload json NOT NULL, headers json DEFAULT (JSON_OBJECT()), destination_url varchar(1000) NOT NULL,
        destination_type varchar(50) DEFAULT 'http' NOT NULL, idempotency_key varchar(255), status varchar(50) DEFAULT 'pending' NOT NULL, retry_count int DEFAULT 0 NOT NULL,
        max_retries int DEFAULT 5 NOT NULL, next_retry_at timestamp NULL, backoff_multiplier decimal(3, 2) DEFAULT 2.0, last_error varchar(1000), error_details json,
        created_at timestamp DEFAULT CURRENT_TIMESTAMP NOT NULL, updated_at timestamp DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP NOT NULL,
        processing_started_at timestamp NULL, processed_at timestamp NULL, metadata json DEFAULT (JSON_OBJECT()), processed_by_worker varchar(255), deleted_at timestamp NULL,
        created_date date AS (DATE(created_at)) STORED)`,
  },
  table: "outbox_events",
  rows: [
    { key: idOf(1), state: "pending", insert: insert(1, "pending") },
    {
      key: idOf(2),
      state: "pending",
      scheduled: true,
      insert: insert(2, "pending", { next_retry_at: "'2035-01-01'" }),
    },
    {
      key: idOf(3),
      state: "failed",
      insert: insert(3, "failed", { retry_count: 2, next_retry_at: "'2020-01-01'", last_error: "'refused'" }),
    },
    { key: idOf(4), state: "failed", insert: insert(4, "failed", { retry_count: 2 }) },
    { key: idOf(5), state: "in_flight", insert: insert(5, "processing", { processing_started_at: "now()" }) },
    { key: idOf(6), state: "pending", insert: insert(6, "processing", { processing_started_at: "'2020-01-01'" }) },
    { key: idOf(7), state: "in_flight", insert: insert(7, "processing") },
    { key: idOf(8), state: "published", insert: insert(8, "succeeded", { processed_at: "now()" }) },
    { key: idOf(9), state: "dead", insert: insert(9, "dlq", { retry_count: 5, processed_at: "now()" }) },
    { key: idOf(10), state: "expired", insert: insert(10, "cancelled") },
    { key: idOf(11), state: "expired", insert: insert(11, "pending", { deleted_at: "now()" }) },
    { key: idOf(12), state: "expired", insert: insert(12, "dlq", { deleted_at: "now()" }) },
    {
      key: idOf(13),
      state: "published",
      insert: insert(13, "succeeded", { processed_at: "now()", deleted_at: "now()" }),
    },
  ],
  claims: `SELECT id FROM outbox_events WHERE deleted_at IS NULL AND ((status IN ('pending', 'failed') AND (next_retry_at IS NULL OR next_retry_at <= {utc}))
    OR (status = 'processing' AND processing_started_at < {utc} - INTERVAL '300' SECOND))`,
};
