import type { ClientBase } from "pg";
import type { ReceivedEvent } from "#client/inbox/read-event.ts";
import type { ShopEvents } from "../shop/shop-events.ts";

/** A consumer's work on an event, in the transaction of its inbox. */
export type Effect = (tx: ClientBase, event: ReceivedEvent<ShopEvents>) => Promise<void>;

const STATUS = {
  "order.placed": "placed",
  "order.paid": "paid",
  "order.shipped": "shipped",
  "order.cancelled": "cancelled",
} as const;

/** One document for each order; the titles come with its first event. */
export const indexOrder: Effect = async (tx, { type, payload }) => {
  if (!(type in STATUS) || !("orderId" in payload)) return;
  const titles = "lines" in payload ? payload.lines.map(({ title }) => title).join(" ") : "";
  await tx.query(
    `INSERT INTO consumers.search_document AS existing (order_id, customer_id, status, titles, updated_at)
     VALUES ($1, $2, $3, $4, clock_timestamp())
     ON CONFLICT (order_id) DO UPDATE SET status = excluded.status, updated_at = excluded.updated_at,
       titles = CASE WHEN excluded.titles = '' THEN existing.titles ELSE excluded.titles END`,
    [payload.orderId, payload.customerId, STATUS[type as keyof typeof STATUS], titles],
  );
};

export const invalidateCache: Effect = async (tx, { payload }) => {
  const key = "orderId" in payload ? `order:${payload.orderId}` : `customer:${payload.customerId}`;
  await tx.query(
    `INSERT INTO consumers.cache_key AS existing (key, invalidations, invalidated_at) VALUES ($1, 1, clock_timestamp())
     ON CONFLICT (key) DO UPDATE SET invalidations = existing.invalidations + 1, invalidated_at = excluded.invalidated_at`,
    [key],
  );
};

/** Represents a service that stores pending mails in its own table, because a sent mail cannot be rolled back. */
export const sendNotification: Effect = async (tx, { id, type, payload }) => {
  if (type === "order.placed") return;
  await tx.query(
    "INSERT INTO consumers.notification (message_id, customer_id, template, sent_at) VALUES ($1, $2, $3, clock_timestamp())",
    [id, payload.customerId, type],
  );
};
