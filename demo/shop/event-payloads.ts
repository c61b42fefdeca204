import type { PayloadIn } from "#client/events/define-events.ts";
import { inventAddress, type OrderLine, pick, type Random } from "./catalogue.ts";
import { exact } from "./exact-number.ts";
import type { ShopEvents } from "./shop-events.ts";

type Payload<T> = PayloadIn<ShopEvents, T>;

export interface OrderFacts {
  id: string;
  /** The order's number, from which ledger entries and invoices are derived. */
  number: string;
  customerId: string;
  currency: string;
  /** Decimal text with two places. */
  total: string;
}

/** Just above 2^53: a reader that parses numbers as doubles shows a wrong ledger entry. */
const FIRST_LEDGER_ENTRY = 9_007_199_254_740_993n;
const CARRIERS = ["DHL", "InPost", "CTT", "ヤマト運輸", "An Post"];
const CANCEL_REASONS = ["customer changed their mind", "payment not authorised", "out of stock", "address unknown"];

function withTax(lines: readonly OrderLine[]) {
  return lines.map(({ unitPrice, ...line }) => ({
    ...line,
    unitPrice: exact(unitPrice),
    tax: { rate: exact("0.20"), included: true },
  }));
}

export function orderPlaced(order: OrderFacts, lines: readonly OrderLine[], random: Random): Payload<"order.placed"> {
  return {
    orderId: order.id,
    customerId: order.customerId,
    currency: order.currency,
    total: exact(order.total),
    lines: withTax(lines),
    shipTo: inventAddress(random),
    channel: pick(["web", "app", "phone"], random),
  };
}

export function orderPaid(order: OrderFacts, amount: string, random: Random): Payload<"order.paid"> {
  const entry = FIRST_LEDGER_ENTRY + BigInt(order.number) * 1000n + BigInt(Math.floor(random() * 1000));
  return {
    orderId: order.id,
    customerId: order.customerId,
    currency: order.currency,
    amount: exact(amount),
    ledgerEntry: exact(String(entry)),
    method: pick(["card", "sepa", "paypal", "blik"], random),
  };
}

export function orderShipped(order: OrderFacts, random: Random): Payload<"order.shipped"> {
  const parcels = Array.from({ length: 1 + Math.floor(random() * 2) }, (_, index) => ({
    parcel: index + 1,
    weightKg: exact((0.2 + random() * 9).toFixed(3)),
    tracking: `${order.id}-${Math.floor(random() * 1e9).toString(36)}`,
  }));
  return { orderId: order.id, customerId: order.customerId, carrier: pick(CARRIERS, random), parcels };
}

export function orderCancelled(order: OrderFacts, random: Random): Payload<"order.cancelled"> {
  return {
    orderId: order.id,
    customerId: order.customerId,
    reason: pick(CANCEL_REASONS, random),
    refund: exact("0.00"),
  };
}

/** Contains the whole document: a few kB. */
export function invoiceRendered(
  order: OrderFacts,
  invoiceNumber: string,
  lines: readonly OrderLine[],
): Payload<"invoice.rendered"> {
  const rows = lines.map(
    (line) =>
      `<tr class="invoice-line"><td>${line.line}</td><td>${line.sku}</td><td>${line.title}</td>` +
      `<td class="amount">${line.quantity}</td><td class="amount">${line.unitPrice} ${order.currency}</td></tr>`,
  );
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Invoice ${invoiceNumber}</title></head><body><h1>Invoice ${invoiceNumber}</h1><p>Order ${order.id}, customer ${order.customerId}</p><table>${rows.join("")}</table><p class="total">Total ${order.total} ${order.currency}</p>${TERMS}</body></html>`;
  return {
    schemaVersion: 3,
    invoiceNumber,
    orderId: order.id,
    customerId: order.customerId,
    total: exact(order.total),
    currency: order.currency,
    document: { contentType: "text/html", html },
  };
}

const TERMS = `<section><h2>Terms</h2>${"<p>Goods remain the property of the shop until they are paid for in full. Returns within thirty days, unused and in their packing, at the address printed on the parcel.</p>".repeat(10)}</section>`;

export function customerRegistered(customer: Customer): Payload<"customer.registered"> {
  const { id: customerId, name, email, locale } = customer;
  return { customerId, name, email, locale, consents: { newsletter: false, terms: "2026-02" } };
}

interface Customer {
  id: string;
  name: string;
  email: string;
  locale: string;
}
