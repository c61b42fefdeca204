import { pg } from "#client/adapters/pg.ts";
import { createInbox, type Inbox } from "#client/inbox/create-inbox.ts";
import type { DbOf, TxOf } from "#client/sql/adapter.ts";
import { type ShopEvents, shopEvents } from "../shop/shop-events.ts";

type Via = ReturnType<typeof pg>;
export type ConsumerInbox = Inbox<ShopEvents, TxOf<Via>, DbOf<Via>>;

/** Low, so that a message that always fails is parked while you watch. */
const MAX_ATTEMPTS = 3;

/** One table for all: each consumer has its own marks. */
export const consumerInbox = (consumer: string): ConsumerInbox =>
  createInbox(shopEvents, { via: pg(), consumer, table: "consumers.inbox", maxAttempts: MAX_ATTEMPTS });

const INBOX_SQL = consumerInbox("any")
  .schema()
  .replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS")
  .replaceAll("CREATE INDEX", "CREATE INDEX IF NOT EXISTS");

export const CONSUMER_TABLES_SQL = `
CREATE SCHEMA IF NOT EXISTS consumers;
${INBOX_SQL}
CREATE TABLE IF NOT EXISTS consumers.search_document (
  order_id text PRIMARY KEY,
  customer_id text NOT NULL,
  status text NOT NULL,
  titles text NOT NULL DEFAULT '',
  updated_at timestamptz NOT NULL
);
CREATE TABLE IF NOT EXISTS consumers.cache_key (
  key text PRIMARY KEY,
  invalidations bigint NOT NULL,
  invalidated_at timestamptz NOT NULL
);
CREATE TABLE IF NOT EXISTS consumers.notification (
  message_id text PRIMARY KEY,
  customer_id text NOT NULL,
  template text NOT NULL,
  sent_at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS notification_sent_idx ON consumers.notification (sent_at);`;

/** Deletes rows that are older than any repeat; the other tables keep one row for each order. */
export const SWEEPS_SQL = [
  `DELETE FROM consumers.inbox WHERE (consumer, message_id) IN (
     SELECT consumer, message_id FROM consumers.inbox WHERE received_at < now() - interval '6 hours' ORDER BY received_at LIMIT 2000)`,
  `DELETE FROM consumers.notification WHERE message_id IN (
     SELECT message_id FROM consumers.notification WHERE sent_at < now() - interval '6 hours' ORDER BY sent_at LIMIT 500)`,
  `DELETE FROM consumers.search_document WHERE order_id IN (
     SELECT order_id FROM consumers.search_document WHERE updated_at < now() - interval '6 hours' LIMIT 500)`,
  `DELETE FROM consumers.cache_key WHERE key IN (
     SELECT key FROM consumers.cache_key WHERE invalidated_at < now() - interval '6 hours' LIMIT 500)`,
];
