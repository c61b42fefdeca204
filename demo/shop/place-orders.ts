import type { Pool, PoolClient } from "pg";
import { inTransaction } from "../in-transaction.ts";
import { appendEvents } from "./append-events.ts";
import type { OrderLine } from "./catalogue.ts";
import { inventCurrency, inventLines, type Random, totalOf } from "./catalogue.ts";
import { type OrderFacts, orderPlaced } from "./event-payloads.ts";

type Draft = { customerId: string; currency: string; lines: OrderLine[]; total: string };

/**
 * Places orders of known customers: rows, lines and events in one transaction. Returns the number of events written.
 */
export function placeOrders(pool: Pool, { count, random }: { count: number; random: Random }): Promise<number> {
  return inTransaction(pool, async (db) => {
    const customers = await pickCustomers(db, count, random);
    const drafts = customers.map((customerId): Draft => {
      const lines = inventLines(random);
      return { customerId, currency: inventCurrency(random), lines, total: totalOf(lines) };
    });
    const orders = await insertOrders(db, drafts);
    await insertLines(db, orders, drafts);
    await appendEvents(
      db,
      orders.map((order, index) => ({
        aggregateType: "order" as const,
        aggregateId: order.id,
        eventType: "order.placed" as const,
        payload: orderPlaced(order, drafts[index]?.lines ?? [], random),
      })),
    );
    return orders.length;
  });
}

/** Customer numbers have few gaps, so a random number finds a customer without a scan. */
async function pickCustomers(db: PoolClient, count: number, random: Random): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT (SELECT id FROM shop.customers WHERE number >= low + floor(share * (high - low + 1)) ORDER BY number LIMIT 1) AS id
     FROM (SELECT min(number) AS low, max(number) AS high FROM shop.customers) span, unnest($1::float8[]) share`,
    [Array.from({ length: count }, random)],
  );
  return rows.map((row) => row.id);
}

async function insertOrders(db: PoolClient, drafts: readonly Draft[]): Promise<OrderFacts[]> {
  const { rows } = await db.query<OrderFacts>(
    `INSERT INTO shop.orders (customer_id, status, currency, total)
     SELECT customer_id, 'placed', currency, total
     FROM unnest($1::text[], $2::text[], $3::numeric[]) WITH ORDINALITY AS draft (customer_id, currency, total, position)
     ORDER BY position
     RETURNING id, number::text, customer_id AS "customerId", currency, total::text`,
    [drafts.map((one) => one.customerId), drafts.map((one) => one.currency), drafts.map((one) => one.total)],
  );
  return rows;
}

async function insertLines(db: PoolClient, orders: readonly OrderFacts[], drafts: readonly Draft[]): Promise<void> {
  const lines = orders.flatMap((order, index) =>
    (drafts[index]?.lines ?? []).map((line) => ({ orderId: order.id, ...line })),
  );
  await db.query(
    `INSERT INTO shop.order_lines (order_id, line, sku, title, quantity, unit_price)
     SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::int[], $6::numeric[])`,
    [
      lines.map((line) => line.orderId),
      lines.map((line) => line.line),
      lines.map((line) => line.sku),
      lines.map((line) => line.title),
      lines.map((line) => line.quantity),
      lines.map((line) => line.unitPrice),
    ],
  );
}
