import { createInbox, createOutbox, type ReceivedMessage } from "@outbox-console/client";
import { pg } from "@outbox-console/client/pg";
import type { Pool } from "pg";
import { events, type Order } from "./events.ts";

const outbox = createOutbox(events, { via: pg() });
const inbox = createInbox(events, { via: pg(), consumer: "billing" });

export async function placeOrder(pool: Pool, order: Order) {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("INSERT INTO orders (id, total) VALUES ($1, $2)", [order.orderId, order.total]);
    await outbox.add(client, "order.placed", order);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
}

export const bill = (pool: Pool, message: ReceivedMessage) =>
  inbox.once(pool, message, async (tx, { payload }) => {
    await tx.query("INSERT INTO invoices (order_id, total) VALUES ($1, $2)", [payload.orderId, payload.total]);
  });
