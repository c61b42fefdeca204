/** Tables of tutorials and libraries, with their original names. */

/** (a) */
export const OUTBOX_EVENTS = `CREATE TABLE outbox_events (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), aggregate_id text, event_type text NOT NULL,
  payload jsonb NOT NULL, occurred_at timestamptz NOT NULL DEFAULT now(), dispatched_at timestamptz)`;

/** (a) with a count of attempts. */
export const OUTBOX_EVENTS_WITH_ATTEMPTS = `CREATE TABLE outbox_events (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), aggregate_id text, event_type text NOT NULL,
  payload jsonb NOT NULL, occurred_at timestamptz NOT NULL DEFAULT now(), dispatched_at timestamptz, attempts int NOT NULL DEFAULT 0, last_error text)`;

/** (b) */
export const EVENTS_OUTBOX = `CREATE TABLE events_outbox (id bigserial PRIMARY KEY, aggregate_id uuid NOT NULL, type text NOT NULL, payload jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(), dispatched_at timestamptz);
  CREATE TABLE processed_events (consumer text, event_id bigint, processed_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (consumer, event_id))`;

/** (c) */
export const OUTBOX_WITH_ARCHIVE = `CREATE TABLE outbox (id uuid PRIMARY KEY, aggregate_type varchar(100) NOT NULL, aggregate_id varchar(100) NOT NULL, event_type varchar(100) NOT NULL,
    payload json NOT NULL, created_at timestamp NOT NULL DEFAULT now(), published_at timestamp);
  CREATE TABLE outbox_archive (LIKE outbox INCLUDING ALL);
  CREATE TABLE inbox (id uuid PRIMARY KEY, message_id uuid NOT NULL UNIQUE, payload jsonb, received_at timestamp NOT NULL DEFAULT now(), processed_at timestamp);
  CREATE TABLE processed_events (event_id uuid PRIMARY KEY, processed_at timestamp NOT NULL DEFAULT now())`;

/** (d) */
export const OUTBOX_PARTITIONED = `CREATE TABLE outbox (id uuid NOT NULL, aggregate_type text NOT NULL, aggregate_id text NOT NULL, event_type text NOT NULL,
    payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, PRIMARY KEY (id, created_at)) PARTITION BY RANGE (created_at);
  CREATE TABLE outbox_2025 PARTITION OF outbox FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
  CREATE TABLE outbox_2026 PARTITION OF outbox FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
  CREATE TABLE outbox_later PARTITION OF outbox DEFAULT`;

/** (e) */
export const OUTBOX_STATUS_TEXT = `CREATE TABLE outbox (outbox_id varchar(36) PRIMARY KEY, event_type varchar(100) NOT NULL, aggregate_id varchar(100), aggregate_type varchar(100),
  operation varchar(20), payload text NOT NULL, metadata text, "user" varchar(50), created_at varchar(14) NOT NULL, published_at varchar(14),
  status varchar(10) NOT NULL DEFAULT 'PENDING', retry_count int NOT NULL DEFAULT 0, error_message text)`;
