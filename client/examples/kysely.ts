import { createInbox, createOutbox, type ReceivedMessage } from "@outbox-console/client";
import { kysely } from "@outbox-console/client/kysely";
import type { Kysely } from "kysely";
import { events, type Order } from "./events.ts";

export interface Database {
  orders: { id: string; total: number };
  invoices: { order_id: string; total: number };
}

const outbox = createOutbox(events, { via: kysely<Database>() });
const inbox = createInbox(events, { via: kysely<Database>(), consumer: "billing" });

export const placeOrder = (db: Kysely<Database>, order: Order) =>
  db.transaction().execute(async (trx) => {
    await trx.insertInto("orders").values({ id: order.orderId, total: order.total }).execute();
    await outbox.add(trx, "order.placed", order);
  });

export const bill = (db: Kysely<Database>, message: ReceivedMessage) =>
  inbox.once(db, message, async (trx, { payload }) => {
    await trx.insertInto("invoices").values({ order_id: payload.orderId, total: payload.total }).execute();
  });
