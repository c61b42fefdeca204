import type { ClientBase, Pool } from "pg";
import { pg } from "#client/adapters/pg.ts";
import { createInbox, type OnceResult } from "#client/inbox/create-inbox.ts";
import type { ReceivedMessage } from "#client/messages/received-message.ts";
import { shopEvents } from "../../shop/shop-events.ts";

const via = pg();

const loyalty = createInbox(shopEvents, {
  via,
  consumer: "loyalty",
  table: "loyalty.inbox",
  columns: {
    messageId: { name: "message_id", type: "uuid" },
    eventType: "event_type",
    receivedAt: "received_at",
    processedAt: "processed_at",
  },
});

const analytics = createInbox(shopEvents, {
  via,
  consumer: "revenue",
  table: "analytics.processed_events",
  columns: {
    consumer: "consumer",
    messageId: { name: "event_id", type: "uuid" },
    processedAt: "processed_at",
  },
});

const EARN_POINTS_SQL = `
INSERT INTO loyalty.points AS existing (customer_id, points, updated_at)
VALUES ($1::jsonb ->> 'customerId', floor(($1::jsonb ->> 'amount')::numeric)::bigint, clock_timestamp())
ON CONFLICT (customer_id) DO UPDATE SET points = existing.points + excluded.points, updated_at = excluded.updated_at`;

const ADD_REVENUE_SQL = `
INSERT INTO analytics.daily_revenue AS existing (day, currency, bucket, payments, revenue)
VALUES (current_date, $1::jsonb ->> 'currency', (hashtext($2) & 15)::smallint, 1, ($1::jsonb ->> 'amount')::numeric)
ON CONFLICT (day, currency, bucket) DO UPDATE
  SET payments = existing.payments + 1, revenue = existing.revenue + excluded.revenue`;

/** The payload's text has money to the cent; as parsed numbers they would be doubles. */
export const earnPoints = (pool: Pool, message: ReceivedMessage): Promise<OnceResult<void>> =>
  loyalty.once(pool, message, async (tx: ClientBase, { type, text }) => {
    if (type === "order.paid") await tx.query(EARN_POINTS_SQL, [text]);
  });

export const addRevenue = (pool: Pool, message: ReceivedMessage): Promise<OnceResult<void>> =>
  analytics.once(pool, message, async (tx: ClientBase, { id, type, text }) => {
    if (type === "order.paid") await tx.query(ADD_REVENUE_SQL, [text, id]);
  });
