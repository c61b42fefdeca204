import type { Connection, Pool } from "mysql2/promise";
import { mysql2 } from "#client/adapters/mysql2.ts";
import { createInbox, type OnceResult } from "#client/inbox/create-inbox.ts";
import type { ReceivedMessage } from "#client/messages/received-message.ts";
import { shopEvents } from "../../shop/shop-events.ts";
import { repeatAfterDeadlock } from "./in-transaction.ts";

const via = mysql2();

const loyalty = createInbox(shopEvents, {
  via,
  consumer: "loyalty",
  table: "loyalty_inbox",
  columns: {
    messageId: "message_id",
    eventType: "event_type",
    receivedAt: "received_at",
    processedAt: "processed_at",
  },
});

const analytics = createInbox(shopEvents, {
  via,
  consumer: "revenue",
  table: "analytics_processed_events",
  columns: { consumer: "consumer", messageId: "event_id", processedAt: "processed_at" },
});

const EARN_POINTS_SQL = `
INSERT INTO loyalty_points (customer_id, points, updated_at)
VALUES (JSON_UNQUOTE(JSON_EXTRACT(?, '$.customerId')),
  FLOOR(CAST(JSON_UNQUOTE(JSON_EXTRACT(?, '$.amount')) AS DECIMAL(20, 2))), CURRENT_TIMESTAMP(6))
ON DUPLICATE KEY UPDATE points = points + VALUES(points), updated_at = VALUES(updated_at)`;

const ADD_REVENUE_SQL = `
INSERT INTO analytics_daily_revenue (day, currency, bucket, payments, revenue)
VALUES (CURRENT_DATE, JSON_UNQUOTE(JSON_EXTRACT(?, '$.currency')), CRC32(?) & 15, 1,
  CAST(JSON_UNQUOTE(JSON_EXTRACT(?, '$.amount')) AS DECIMAL(20, 2)))
ON DUPLICATE KEY UPDATE payments = payments + 1, revenue = revenue + VALUES(revenue)`;

/** The payload's text has money to the cent; as parsed numbers they would be doubles. */
export const earnPoints = (pool: Pool, message: ReceivedMessage): Promise<OnceResult<void>> =>
  repeatAfterDeadlock(() =>
    loyalty.once(pool, message, async (tx: Connection, { type, text }) => {
      if (type === "order.paid") await tx.query(EARN_POINTS_SQL, [text, text]);
    }),
  );

export const addRevenue = (pool: Pool, message: ReceivedMessage): Promise<OnceResult<void>> =>
  repeatAfterDeadlock(() =>
    analytics.once(pool, message, async (tx: Connection, { id, type, text }) => {
      if (type === "order.paid") await tx.query(ADD_REVENUE_SQL, [text, id, text]);
    }),
  );
