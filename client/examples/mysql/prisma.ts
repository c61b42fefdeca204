import { createInbox, createOutbox, type ReceivedMessage } from "@outbox-console/client";
import { prisma } from "@outbox-console/client/prisma";
import type { PrismaClient } from "../../testing/prisma-client.fixture.ts";
import { events, type Order } from "../events.ts";

const outbox = createOutbox(events, { via: prisma<PrismaClient>({ dialect: "mysql" }) });
const inbox = createInbox(events, { via: prisma<PrismaClient>({ dialect: "mysql" }), consumer: "billing" });

export const placeOrder = (db: PrismaClient, order: Order) =>
  db.$transaction(async (tx) => {
    await tx.order.create({ data: { id: order.orderId, total: order.total } });
    await outbox.add(tx, "order.placed", order);
  });

export const bill = (db: PrismaClient, message: ReceivedMessage) =>
  inbox.once(db, message, async (tx, { payload }) => {
    await tx.invoice.create({ data: { orderId: payload.orderId, total: payload.total } });
  });
