import type { ShopDatabase } from "../database/shop-database.ts";
import { appendEvents } from "./append-events.ts";
import type { Random } from "./catalogue.ts";
import { orderPaid, orderShipped } from "./event-payloads.ts";

/** A wholesale customer's order that is paid and shipped in endless instalments: the shop's busiest aggregate. */
export async function openStandingOrder(database: ShopDatabase): Promise<string> {
  return database.transaction(async (db) => {
    const found = await db.findStandingOrder();
    if (found !== undefined) return found;
    const [customerId = ""] = await db.pickCustomers([0]);
    const [made] = await db.insertOrders([{ customerId, status: "standing", currency: "EUR", total: "1210.10" }]);
    if (made === undefined) throw new Error("The standing order was not created.");
    return made.id;
  });
}

/**
 * Writes one more instalment in the given currency. Locks the order's row first, so that instalments follow each other.
 * Returns the number of events written.
 */
export function addInstalment(
  database: ShopDatabase,
  input: { orderId: string; currency: string; random: Random },
): Promise<number> {
  return database.transaction(async (db) => {
    const found = await db.lockOrder(input.orderId);
    if (!found) return 0;
    const order = { ...found, currency: input.currency };
    await db.setStatus(order.id, "standing");
    const paid = input.random() < 0.5;
    await appendEvents(db, [
      paid
        ? ["order.paid", orderPaid(order, "12.10", input.random)]
        : ["order.shipped", orderShipped(order, input.random)],
    ]);
    return 1;
  });
}
