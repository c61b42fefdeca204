import { createInbox, createOutbox, type ReceivedMessage } from "@outbox-console/client";
import { sequelize } from "@outbox-console/client/sequelize";
import { DataTypes, type Sequelize } from "sequelize";
import { events, type Order } from "../events.ts";

const outbox = createOutbox(events, { via: sequelize({ dialect: "mysql" }) });
const inbox = createInbox(events, { via: sequelize({ dialect: "mysql" }), consumer: "billing" });

const options = { timestamps: false };
const key = () => ({ type: DataTypes.STRING(64), primaryKey: true });
const orders = (db: Sequelize) => db.define("orders", { id: key(), total: DataTypes.INTEGER }, options);
const invoices = (db: Sequelize) => db.define("invoices", { order_id: key(), total: DataTypes.INTEGER }, options);

export const placeOrder = (db: Sequelize, order: Order) =>
  db.transaction(async (transaction) => {
    await orders(db).create({ id: order.orderId, total: order.total }, { transaction });
    await outbox.add(transaction, "order.placed", order);
  });

export const bill = (db: Sequelize, message: ReceivedMessage) =>
  inbox.once(db, message, async (transaction, { payload }) => {
    await invoices(db).create({ order_id: payload.orderId, total: payload.total }, { transaction });
  });
