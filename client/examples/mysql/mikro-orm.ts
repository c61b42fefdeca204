import { type EntityManager, EntitySchema } from "@mikro-orm/mysql";
import { createInbox, createOutbox, type ReceivedMessage } from "@outbox-console/client";
import { mikroOrm } from "@outbox-console/client/mikro-orm";
import { events, type Order } from "../events.ts";

export const OrderEntity = new EntitySchema<{ id: string; total: number }>({
  name: "Order",
  tableName: "orders",
  properties: { id: { type: "string", length: 64, primary: true }, total: { type: "int" } },
});
export const InvoiceEntity = new EntitySchema<{ orderId: string; total: number }>({
  name: "Invoice",
  tableName: "invoices",
  properties: { orderId: { type: "string", length: 64, primary: true }, total: { type: "int" } },
});

const outbox = createOutbox(events, { via: mikroOrm<EntityManager>({ dialect: "mysql" }) });
const inbox = createInbox(events, { via: mikroOrm<EntityManager>({ dialect: "mysql" }), consumer: "billing" });

export const placeOrder = (em: EntityManager, order: Order) =>
  em.fork().transactional(async (tx) => {
    tx.persist(tx.create(OrderEntity, { id: order.orderId, total: order.total }));
    await outbox.add(tx, "order.placed", order);
  });

export const bill = (em: EntityManager, message: ReceivedMessage) =>
  inbox.once(em, message, async (tx, { payload }) => {
    await tx.insert(InvoiceEntity, { orderId: payload.orderId, total: payload.total });
  });
