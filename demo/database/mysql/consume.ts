import type { Pool, PoolConnection } from "mysql2/promise";
import type { ReceivedEvent } from "../../gateway/consumer.ts";
import { UnreadablePayloadError } from "../shop-database.ts";
import { errorNumber, inTransaction } from "./in-transaction.ts";

/** What a consumer writes of an event. */
export interface Consumption {
  /** The inbox row. Fails for an event that the inbox already has. */
  receive: (db: PoolConnection, event: ReceivedEvent) => Promise<unknown>;
  /** The effect of a payment. */
  pay: (db: PoolConnection, event: ReceivedEvent) => Promise<unknown>;
}

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

export const EARN_POINTS: Consumption = {
  receive: (db, { id, eventType }) =>
    db.query("INSERT INTO loyalty_inbox (message_id, event_type, processed_at) VALUES (?, ?, CURRENT_TIMESTAMP(6))", [
      id,
      eventType,
    ]),
  pay: (db, { payload }) => db.query(EARN_POINTS_SQL, [payload, payload]),
};

export const ADD_REVENUE: Consumption = {
  receive: (db, { id }) =>
    db.query("INSERT INTO analytics_processed_events (consumer, event_id) VALUES ('revenue', ?)", [id]),
  pay: (db, { id, payload }) => db.query(ADD_REVENUE_SQL, [payload, id, payload]),
};

const DUPLICATE_KEY = 1062;
/** A value that is no number, and on MariaDB a text that is no JSON. MySQL gives the latter a state of class 22. */
const UNREADABLE = new Set([1366, 4038]);

/** The inbox row and its effect commit together. False for an event that the inbox already has. */
export async function consume(pool: Pool, { receive, pay }: Consumption, event: ReceivedEvent): Promise<boolean> {
  try {
    await inTransaction(pool, async (db) => {
      await receive(db, event);
      if (event.eventType === "order.paid") await pay(db, event);
    });
    return true;
  } catch (error) {
    // Only the inbox has a key that can be taken: the effects update the row that they find.
    if (errorNumber(error) === DUPLICATE_KEY) return false;
    throw isUnreadable(error) ? new UnreadablePayloadError(error) : error;
  }
}

function isUnreadable(error: unknown): boolean {
  const state = error instanceof Error && "sqlState" in error ? String(error.sqlState) : "";
  return state.startsWith("22") || UNREADABLE.has(errorNumber(error) ?? 0);
}
