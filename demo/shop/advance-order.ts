import type { ShopDatabase } from "../database/shop-database.ts";
import { appendEvents } from "./append-events.ts";
import type { OrderLine, Random } from "./catalogue.ts";
import { invoiceRendered, type OrderFacts, orderCancelled, orderPaid, orderShipped } from "./event-payloads.ts";
import type { ShopEvent } from "./shop-events.ts";

const CANCELLED_SHARE = 0.08;

/**
 * Pays the order that has waited longest and renders its invoice, or cancels it. Returns the number of events written.
 */
export function settleOrder(database: ShopDatabase, random: Random): Promise<number> {
  return database.transaction(async (db) => {
    const order = await db.lockNextOrder("placed");
    if (!order) return 0;
    const cancelled = random() < CANCELLED_SHARE;
    await db.setStatus(order.id, cancelled ? "cancelled" : "paid");
    const events: ShopEvent[] = cancelled
      ? [["order.cancelled", orderCancelled(order, random)]]
      : [["order.paid", orderPaid(order, order.total, random)], invoiceEvent(order, await db.readLines(order.id))];
    await appendEvents(db, events);
    return events.length;
  });
}

/** Ships the paid order that has waited longest. Returns the number of events written. */
export function shipOrder(database: ShopDatabase, random: Random): Promise<number> {
  return database.transaction(async (db) => {
    const order = await db.lockNextOrder("paid");
    if (!order) return 0;
    await db.setStatus(order.id, "shipped");
    await appendEvents(db, [["order.shipped", orderShipped(order, random)]]);
    return 1;
  });
}

function invoiceEvent(order: OrderFacts, lines: OrderLine[]): ShopEvent {
  return ["invoice.rendered", invoiceRendered(order, `inv-${order.number}`, lines)];
}
