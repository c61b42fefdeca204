import type { Pool } from "pg";
import { type Consumer, consumerOf } from "./consumer.ts";

/** One point per whole unit paid. Without a new inbox row the statement changes nothing. */
const LOYALTY_SQL = `
WITH first_time AS (
  INSERT INTO loyalty.inbox (message_id, event_type, processed_at) VALUES ($1::uuid, $2, clock_timestamp())
  ON CONFLICT (message_id) DO NOTHING RETURNING message_id
), effect AS (
  INSERT INTO loyalty.points AS existing (customer_id, points, updated_at)
  SELECT $3::jsonb ->> 'customerId', floor(($3::jsonb ->> 'amount')::numeric)::bigint, clock_timestamp()
  FROM first_time WHERE $2 = 'order.paid'
  ON CONFLICT (customer_id) DO UPDATE SET points = existing.points + excluded.points, updated_at = excluded.updated_at
)
SELECT EXISTS (SELECT FROM first_time) AS first`;

export function loyaltyConsumer(pool: Pool): Consumer {
  return consumerOf("loyalty", pool, LOYALTY_SQL);
}
