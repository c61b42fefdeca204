import type { OrderDraft, ShopDatabase } from "../database/shop-database.ts";
import { appendEvents } from "./append-events.ts";
import { inventCurrency, inventLines, type OrderLine, type Random, totalOf } from "./catalogue.ts";
import { orderPlaced } from "./event-payloads.ts";

type Draft = OrderDraft & { lines: OrderLine[] };

/**
 * Places orders of known customers: rows, lines and events in one transaction. Returns the number of events written.
 */
export function placeOrders(
  database: ShopDatabase,
  { count, random }: { count: number; random: Random },
): Promise<number> {
  return database.transaction(async (db) => {
    const customers = await db.pickCustomers(Array.from({ length: count }, random));
    const drafts = customers.map((customerId): Draft => {
      const lines = inventLines(random);
      return { customerId, status: "placed", currency: inventCurrency(random), lines, total: totalOf(lines) };
    });
    const orders = await db.insertOrders(drafts);
    await db.insertLines(
      orders.flatMap((order, index) => (drafts[index]?.lines ?? []).map((line) => ({ orderId: order.id, ...line }))),
    );
    await appendEvents(
      db,
      orders.map((order, index) => ["order.placed", orderPlaced(order, drafts[index]?.lines ?? [], random)]),
    );
    return orders.length;
  });
}
