export const TABLE = "outbox_events";

/** The run's outbox table, the writers' aggregates, and their ledger of committed messages. */
export const DDL = `
CREATE TABLE ${TABLE} (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(), seq bigint GENERATED ALWAYS AS IDENTITY, aggregate_type text NOT NULL, aggregate_id text NOT NULL,
  event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), available_at timestamptz, published_at timestamptz);
CREATE INDEX outbox_pending ON ${TABLE} (seq) WHERE published_at IS NULL;
CREATE TABLE chaos_aggregate (id text PRIMARY KEY, version int NOT NULL DEFAULT 0);
CREATE TABLE chaos_ledger (id uuid PRIMARY KEY, seq bigint NOT NULL, aggregate text NOT NULL, n int NOT NULL, scheduled boolean NOT NULL)`;
