import type { Pool } from "pg";
import { inTransaction } from "../in-transaction.ts";
import { appendEvents } from "./append-events.ts";
import type { Random } from "./catalogue.ts";
import { type OrderFacts, orderPaid, orderShipped } from "./event-payloads.ts";

/** A wholesale customer's order that is paid and shipped in endless instalments: the shop's busiest aggregate. */
export async function openStandingOrder(pool: Pool): Promise<string> {
  return inTransaction(pool, async (db) => {
    const found = await db.query<{ id: string }>("SELECT id FROM shop.orders WHERE status = 'standing' LIMIT 1");
    if (found.rows[0]) return found.rows[0].id;
    const made = await db.query<{ id: string }>(
      `INSERT INTO shop.orders (customer_id, status, currency, total)
       SELECT min(id), 'standing', 'EUR', 1210.10 FROM shop.customers RETURNING id`,
    );
    const id = made.rows[0]?.id;
    if (id === undefined) throw new Error("The standing order was not created.");
    return id;
  });
}

/**
 * Writes one more instalment in the given currency. Locks the order's row first, so that instalments follow each other.
 * Returns the number of events written.
 */
export function addInstalment(
  pool: Pool,
  input: { orderId: string; currency: string; random: Random },
): Promise<number> {
  return inTransaction(pool, async (db) => {
    const { rows } = await db.query<OrderFacts>(
      `SELECT id, number::text, customer_id AS "customerId", total::text FROM shop.orders WHERE id = $1 FOR UPDATE`,
      [input.orderId],
    );
    const found = rows[0];
    if (!found) return 0;
    const order = { ...found, currency: input.currency };
    await db.query("UPDATE shop.orders SET updated_at = clock_timestamp() WHERE id = $1", [order.id]);
    const paid = input.random() < 0.5;
    await appendEvents(db, [
      {
        aggregateType: "order",
        aggregateId: order.id,
        eventType: paid ? "order.paid" : "order.shipped",
        payload: paid ? orderPaid(order, "12.10", input.random) : orderShipped(order, input.random),
      },
    ]);
    return 1;
  });
}
