import { createInbox, createOutbox, type ReceivedMessage } from "@outbox-console/client";
import { postgresJs } from "@outbox-console/client/postgres-js";
import type { Sql } from "postgres";
import { events, type Order } from "./events.ts";

const outbox = createOutbox(events, { via: postgresJs() });
const inbox = createInbox(events, { via: postgresJs(), consumer: "billing" });

export const placeOrder = (sql: Sql, order: Order) =>
  sql.begin(async (tx) => {
    await tx`INSERT INTO orders (id, total) VALUES (${order.orderId}, ${order.total})`;
    await outbox.add(tx, "order.placed", order);
  });

export const bill = (sql: Sql, message: ReceivedMessage) =>
  inbox.once(sql, message, async (tx, { payload }) => {
    await tx`INSERT INTO invoices (order_id, total) VALUES (${payload.orderId}, ${payload.total})`;
  });
