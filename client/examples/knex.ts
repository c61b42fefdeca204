import { createInbox, createOutbox, type ReceivedMessage } from "@outbox-console/client";
import { knex } from "@outbox-console/client/knex";
import type { Knex } from "knex";
import { events, type Order } from "./events.ts";

const outbox = createOutbox(events, { via: knex() });
const inbox = createInbox(events, { via: knex(), consumer: "billing" });

export const placeOrder = (db: Knex, order: Order) =>
  db.transaction(async (trx) => {
    await trx("orders").insert({ id: order.orderId, total: order.total });
    await outbox.add(trx, "order.placed", order);
  });

export const bill = (db: Knex, message: ReceivedMessage) =>
  inbox.once(db, message, async (trx, { payload }) => {
    await trx("invoices").insert({ order_id: payload.orderId, total: payload.total });
  });
