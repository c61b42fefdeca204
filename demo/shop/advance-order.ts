import type { Pool, PoolClient } from "pg";
import { inTransaction } from "../in-transaction.ts";
import { appendEvents, type ShopEvent } from "./append-events.ts";
import type { OrderLine, Random } from "./catalogue.ts";
import { invoiceRendered, type OrderFacts, orderCancelled, orderPaid, orderShipped } from "./event-payloads.ts";

const CANCELLED_SHARE = 0.08;

/**
 * Locks the order that has waited longest in a status. Because of this lock, the outbox's sequence is the commit order
 * of each aggregate: writers of one order take turns.
 */
async function lockNext(db: PoolClient, status: "placed" | "paid"): Promise<OrderFacts | undefined> {
  const { rows } = await db.query<OrderFacts>(
    `SELECT id, number::text, customer_id AS "customerId", currency, total::text FROM shop.orders
     WHERE status = $1 ORDER BY updated_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
    [status],
  );
  return rows[0];
}

async function setStatus(db: PoolClient, order: OrderFacts, status: string): Promise<void> {
  await db.query("UPDATE shop.orders SET status = $2, updated_at = clock_timestamp() WHERE id = $1", [
    order.id,
    status,
  ]);
}

async function readLines(db: PoolClient, order: OrderFacts): Promise<OrderLine[]> {
  const { rows } = await db.query<OrderLine>(
    `SELECT line, sku, title, quantity, unit_price::text AS "unitPrice" FROM shop.order_lines WHERE order_id = $1 ORDER BY line`,
    [order.id],
  );
  return rows;
}

/**
 * Pays the order that has waited longest and renders its invoice, or cancels it. Returns the number of events written.
 */
export function settleOrder(pool: Pool, random: Random): Promise<number> {
  return inTransaction(pool, async (db) => {
    const order = await lockNext(db, "placed");
    if (!order) return 0;
    const cancelled = random() < CANCELLED_SHARE;
    await setStatus(db, order, cancelled ? "cancelled" : "paid");
    const events = cancelled
      ? [orderEvent(order, "order.cancelled", orderCancelled(order, random))]
      : [
          orderEvent(order, "order.paid", orderPaid(order, order.total, random)),
          invoiceEvent(order, await readLines(db, order)),
        ];
    await appendEvents(db, events);
    return events.length;
  });
}

/** Ships the paid order that has waited longest. Returns the number of events written. */
export function shipOrder(pool: Pool, random: Random): Promise<number> {
  return inTransaction(pool, async (db) => {
    const order = await lockNext(db, "paid");
    if (!order) return 0;
    await setStatus(db, order, "shipped");
    await appendEvents(db, [orderEvent(order, "order.shipped", orderShipped(order, random))]);
    return 1;
  });
}

function orderEvent(order: OrderFacts, eventType: ShopEvent["eventType"], payload: string): ShopEvent {
  return { aggregateType: "order", aggregateId: order.id, eventType, payload };
}

function invoiceEvent(order: OrderFacts, lines: OrderLine[]): ShopEvent {
  const invoiceNumber = `inv-${order.number}`;
  return {
    aggregateType: "invoice",
    aggregateId: invoiceNumber,
    eventType: "invoice.rendered",
    payload: invoiceRendered(order, invoiceNumber, lines),
  };
}
