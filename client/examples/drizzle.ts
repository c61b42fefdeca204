import { createInbox, createOutbox, type ReceivedMessage } from "@outbox-console/client";
import { drizzle } from "@outbox-console/client/drizzle";
import { sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { events, type Order } from "./events.ts";

const orders = pgTable("orders", { id: text().primaryKey(), total: integer().notNull() });
const invoices = pgTable("invoices", { orderId: text("order_id").notNull(), total: integer().notNull() });

const outbox = createOutbox(events, { via: drizzle<NodePgDatabase>(sql) });
const inbox = createInbox(events, { via: drizzle<NodePgDatabase>(sql), consumer: "billing" });

export const placeOrder = (db: NodePgDatabase, order: Order) =>
  db.transaction(async (tx) => {
    await tx.insert(orders).values({ id: order.orderId, total: order.total });
    await outbox.add(tx, "order.placed", order);
  });

export const bill = (db: NodePgDatabase, message: ReceivedMessage) =>
  inbox.once(db, message, async (tx, { payload }) => {
    await tx.insert(invoices).values({ orderId: payload.orderId, total: payload.total });
  });
