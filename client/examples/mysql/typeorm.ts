import { createInbox, createOutbox, type ReceivedMessage } from "@outbox-console/client";
import { typeorm } from "@outbox-console/client/typeorm";
import { type DataSource, EntitySchema } from "typeorm";
import { events, type Order } from "../events.ts";

export const OrderEntity = new EntitySchema<{ id: string; total: number }>({
  name: "orders",
  columns: { id: { type: "varchar", primary: true }, total: { type: "int" } },
});
export const InvoiceEntity = new EntitySchema<{ orderId: string; total: number }>({
  name: "invoices",
  columns: { orderId: { name: "order_id", type: "varchar", primary: true }, total: { type: "int" } },
});

const outbox = createOutbox(events, { via: typeorm({ dialect: "mysql" }) });
const inbox = createInbox(events, { via: typeorm({ dialect: "mysql" }), consumer: "billing" });

export const placeOrder = (db: DataSource, order: Order) =>
  db.transaction(async (manager) => {
    await manager.insert(OrderEntity, { id: order.orderId, total: order.total });
    await outbox.add(manager, "order.placed", order);
  });

export const bill = (db: DataSource, message: ReceivedMessage) =>
  inbox.once(db, message, async (manager, { payload }) => {
    await manager.insert(InvoiceEntity, { orderId: payload.orderId, total: payload.total });
  });
