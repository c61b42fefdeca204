import type { Pool } from "pg";
import { type Consumer, consumerOf } from "./consumer.ts";

/** Revenue by day and currency, spread over sixteen buckets so that payments do not queue for one row. */
const ANALYTICS_SQL = `
WITH first_time AS (
  INSERT INTO analytics.processed_events (consumer, event_id) VALUES ('revenue', $1::uuid)
  ON CONFLICT (consumer, event_id) DO NOTHING RETURNING event_id
), effect AS (
  INSERT INTO analytics.daily_revenue AS existing (day, currency, bucket, payments, revenue)
  SELECT current_date, $3::jsonb ->> 'currency', (hashtext(event_id::text) & 15)::smallint, 1, ($3::jsonb ->> 'amount')::numeric
  FROM first_time WHERE $2 = 'order.paid'
  ON CONFLICT (day, currency, bucket) DO UPDATE
    SET payments = existing.payments + 1, revenue = existing.revenue + excluded.revenue
)
SELECT EXISTS (SELECT FROM first_time) AS first`;

export function analyticsConsumer(pool: Pool): Consumer {
  return consumerOf("analytics", pool, ANALYTICS_SQL);
}
