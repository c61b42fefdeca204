import type { TypesOf } from "#client/events/define-events.ts";
import {
  customerRegistered,
  invoiceRendered,
  type OrderFacts,
  orderCancelled,
  orderPaid,
  orderPlaced,
  orderShipped,
} from "../shop/event-payloads.ts";
import type { ShopEvents } from "../shop/shop-events.ts";

const ORDER: OrderFacts = { id: "ord-1", number: "1", customerId: "cus-1", currency: "EUR", total: "12.10" };
const LINES = [{ line: 1, sku: "SKU-1", title: "Tea", quantity: 1, unitPrice: "12.10" }];
const random = () => 0.5;

/** A payload of each type, as JSON text, as the shop writes it. */
export const SAMPLE_PAYLOADS: Readonly<Record<TypesOf<ShopEvents>, string>> = {
  "order.placed": JSON.stringify(orderPlaced(ORDER, LINES, random)),
  "order.paid": JSON.stringify(orderPaid(ORDER, "12.10", random)),
  "order.shipped": JSON.stringify(orderShipped(ORDER, random)),
  "order.cancelled": JSON.stringify(orderCancelled(ORDER, random)),
  "invoice.rendered": JSON.stringify(invoiceRendered(ORDER, "inv-1", LINES)),
  "customer.registered": JSON.stringify(
    customerRegistered({ id: "cus-1", name: "Zoë", email: "z@example.com", locale: "de-DE" }),
  ),
};
