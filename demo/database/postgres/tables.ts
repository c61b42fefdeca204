/** The shop's own tables, its outbox with the recommended indexes, and the consumers' inboxes with their effects. */
export const TABLES_SQL = `
CREATE SCHEMA IF NOT EXISTS shop;
CREATE SCHEMA IF NOT EXISTS loyalty;
CREATE SCHEMA IF NOT EXISTS analytics;

CREATE TABLE IF NOT EXISTS shop.customers (
  number bigint GENERATED ALWAYS AS IDENTITY (START WITH 4001) UNIQUE,
  id text GENERATED ALWAYS AS ('cus-' || number::text) STORED PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL,
  locale text NOT NULL,
  registered_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE IF NOT EXISTS shop.orders (
  number bigint GENERATED ALWAYS AS IDENTITY (START WITH 48001) UNIQUE,
  id text GENERATED ALWAYS AS ('ord-' || number::text) STORED PRIMARY KEY,
  customer_id text NOT NULL,
  status text NOT NULL CHECK (status IN ('placed', 'paid', 'shipped', 'cancelled', 'standing')),
  currency text NOT NULL,
  total numeric(12, 2) NOT NULL,
  placed_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS orders_status_idx ON shop.orders (status, updated_at);
CREATE TABLE IF NOT EXISTS shop.order_lines (
  order_id text NOT NULL REFERENCES shop.orders (id) ON DELETE CASCADE,
  line integer NOT NULL,
  sku text NOT NULL,
  title text NOT NULL,
  quantity integer NOT NULL,
  unit_price numeric(10, 2) NOT NULL,
  PRIMARY KEY (order_id, line)
);

CREATE TABLE IF NOT EXISTS shop.outbox_events (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  sequence bigint GENERATED ALWAYS AS IDENTITY,
  aggregate_type text NOT NULL,
  aggregate_id text NOT NULL,
  event_type text NOT NULL,
  payload jsonb NOT NULL,
  headers jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  published_at timestamptz
);
CREATE INDEX IF NOT EXISTS outbox_events_pending_idx ON shop.outbox_events (sequence) WHERE published_at IS NULL;
CREATE INDEX IF NOT EXISTS outbox_events_created_idx ON shop.outbox_events (created_at DESC, id DESC);
CREATE INDEX IF NOT EXISTS outbox_events_aggregate_idx ON shop.outbox_events (aggregate_id, created_at DESC);

CREATE TABLE IF NOT EXISTS loyalty.inbox (
  message_id uuid PRIMARY KEY,
  event_type text NOT NULL,
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  processed_at timestamptz
);
CREATE INDEX IF NOT EXISTS inbox_received_idx ON loyalty.inbox (received_at DESC, message_id DESC);
CREATE TABLE IF NOT EXISTS loyalty.points (
  customer_id text PRIMARY KEY,
  points bigint NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TABLE IF NOT EXISTS analytics.processed_events (
  consumer text NOT NULL,
  event_id uuid NOT NULL,
  processed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (consumer, event_id)
);
CREATE INDEX IF NOT EXISTS processed_events_time_idx ON analytics.processed_events (processed_at DESC, event_id DESC);
-- Sixteen buckets a day: one row would make every payment of the day wait for the one before.
CREATE TABLE IF NOT EXISTS analytics.daily_revenue (
  day date NOT NULL,
  currency text NOT NULL,
  bucket smallint NOT NULL,
  payments bigint NOT NULL,
  revenue numeric(20, 2) NOT NULL,
  PRIMARY KEY (day, currency, bucket)
);`;
