import { createInbox, createOutbox, type ReceivedMessage } from "@outbox-console/client";
import { mysql2 } from "@outbox-console/client/mysql2";
import type { Pool } from "mysql2/promise";
import { events, type Order } from "./events.ts";

const outbox = createOutbox(events, { via: mysql2() });
const inbox = createInbox(events, { via: mysql2(), consumer: "billing" });

export async function placeOrder(pool: Pool, order: Order) {
  const connection = await pool.getConnection();
  try {
    await connection.beginTransaction();
    await connection.execute("INSERT INTO orders (id, total) VALUES (?, ?)", [order.orderId, order.total]);
    await outbox.add(connection, "order.placed", order);
    await connection.commit();
  } catch (error) {
    await connection.rollback();
    throw error;
  } finally {
    connection.release();
  }
}

export const bill = (pool: Pool, message: ReceivedMessage) =>
  inbox.once(pool, message, async (tx, { payload }) => {
    await tx.execute("INSERT INTO invoices (order_id, total) VALUES (?, ?)", [payload.orderId, payload.total]);
  });
