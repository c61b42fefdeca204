import type { Pool } from "pg";
import type { ReceivedEvent } from "../../gateway/consumer.ts";
import { UnreadablePayloadError } from "../shop-database.ts";

/** Without a new inbox row the statement changes nothing. */
export const EARN_POINTS_SQL = `
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

export const ADD_REVENUE_SQL = `
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

/** A consumer in a single statement, hence one transaction: the inbox row and its effect commit together. */
export async function consume(pool: Pool, sql: string, event: ReceivedEvent): Promise<boolean> {
  try {
    const { rows } = await pool.query<{ first: boolean }>(sql, [event.id, event.eventType, event.payload]);
    return rows[0]?.first ?? false;
  } catch (error) {
    throw isDataException(error) ? new UnreadablePayloadError(error) : error;
  }
}

/** Postgres' error class 22. */
function isDataException(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("22");
}
