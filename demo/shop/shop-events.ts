import { z } from "zod";
import { defineEvents } from "#client/events/define-events.ts";
import type { EventDefinition } from "#client/events/event-definition.ts";
import type { EventEntry } from "#client/outbox/create-outbox.ts";
import { exactNumber } from "./exact-number.ts";

const ofOrder = { orderId: z.string(), customerId: z.string() };
const line = z.object({
  line: z.int(),
  sku: z.string(),
  title: z.string(),
  quantity: z.int(),
  unitPrice: exactNumber,
  tax: z.object({ rate: exactNumber, included: z.boolean() }),
});
const address = z.object({ street: z.string(), city: z.string(), country: z.string() });

const placed = z.object({
  ...ofOrder,
  currency: z.string(),
  total: exactNumber,
  lines: z.array(line),
  shipTo: address,
  channel: z.string(),
});
const paid = z.object({
  ...ofOrder,
  currency: z.string(),
  amount: exactNumber,
  ledgerEntry: exactNumber,
  method: z.string(),
});
const parcel = z.object({ parcel: z.int(), weightKg: exactNumber, tracking: z.string() });
const shipped = z.object({ ...ofOrder, carrier: z.string(), parcels: z.array(parcel) });
const cancelled = z.object({ ...ofOrder, reason: z.string(), refund: exactNumber });
const invoice = z.object({
  schemaVersion: z.int(),
  invoiceNumber: z.string(),
  ...ofOrder,
  total: exactNumber,
  currency: z.string(),
  document: z.object({ contentType: z.string(), html: z.string() }),
});
const customer = z.object({
  customerId: z.string(),
  name: z.string(),
  email: z.string(),
  locale: z.string(),
  consents: z.object({ newsletter: z.boolean(), terms: z.string() }),
});

/** The registry that the shop's producers and consumers share. */
export const shopEvents = defineEvents({
  "order.placed": {
    description: "A customer has placed an order.",
    ...ofAggregate("order", placed),
    key: ({ orderId }) => orderId,
    sensitive: ["shipTo.street"],
  },
  "order.paid": {
    description: "An order, or an instalment of one, is paid.",
    ...ofAggregate("order", paid),
    key: ({ orderId }) => orderId,
  },
  "order.shipped": {
    description: "The parcels of an order have left.",
    ...ofAggregate("order", shipped),
    key: ({ orderId }) => orderId,
  },
  "order.cancelled": {
    description: "An order is cancelled before it was paid.",
    ...ofAggregate("order", cancelled),
    key: ({ orderId }) => orderId,
  },
  "invoice.rendered": {
    description: "The invoice of a paid order is there, as a document.",
    ...ofAggregate("invoice", invoice),
    key: ({ invoiceNumber }) => invoiceNumber,
  },
  "customer.registered": {
    description: "Somebody has become a customer.",
    ...ofAggregate("customer", customer),
    key: ({ customerId }) => customerId,
    sensitive: ["name", "email"],
  },
});

export type ShopEvents = typeof shopEvents;
/** Arguments of `add`: type, payload, options. */
export type ShopEvent = EventEntry<ShopEvents>;

/** Written by hand, because Zod cannot describe a number that may be raw. */
function ofAggregate<S extends z.ZodType>(aggregate: string, schema: S): EventDefinition<S> {
  const jsonSchema = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema: described }) => {
      if (zodSchema === exactNumber) described.type = "number";
    },
  });
  return { version: 2, aggregate, schema, jsonSchema: { ...jsonSchema } };
}
