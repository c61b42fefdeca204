import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoRuntime, openDemoRuntime } from "#demo/testing/demo-runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { settleOrder, shipOrder } from "./advance-order.ts";
import { sweepOldRows } from "./housekeeping.ts";
import { placeOrders } from "./place-orders.ts";
import { registerCustomers } from "./register-customers.ts";
import { ShopWriter } from "./shop-writer.ts";
import { addInstalment, openStandingOrder } from "./standing-order.ts";

const database = testDatabase();
let demo: DemoRuntime;
const random = Math.random;

beforeAll(async () => {
  demo = await openDemoRuntime(database().url);
  await registerCustomers(demo.pool, { count: 20, random });
});
afterAll(() => demo.close());

const count = async (sql: string, values: unknown[] = []) =>
  Number((await demo.pool.query(sql, values)).rows[0]?.count);
const events = () => count("SELECT count(*) FROM shop.outbox_events");
const orders = () => count("SELECT count(*) FROM shop.orders");

test("an order and its event are committed together", async () => {
  const before = { events: await events(), orders: await orders() };
  expect(await placeOrders(demo.pool, { count: 3, random })).toBe(3);
  expect(await events()).toBe(before.events + 3);
  expect(await orders()).toBe(before.orders + 3);
});

test("when the event cannot be written there is no order either", async () => {
  const before = { events: await events(), orders: await orders() };
  await demo.pool.query(
    "ALTER TABLE shop.outbox_events ADD CONSTRAINT refused CHECK (event_type <> 'order.placed') NOT VALID",
  );
  await expect(placeOrders(demo.pool, { count: 1, random })).rejects.toThrow(/refused/);
  await demo.pool.query("ALTER TABLE shop.outbox_events DROP CONSTRAINT refused");
  expect({ events: await events(), orders: await orders() }).toEqual(before);
});

test("an order goes from placed to paid with its invoice, to shipped", async () => {
  await placeOrders(demo.pool, { count: 1, random });
  expect(await settleOrder(demo.pool, () => 0.5)).toBe(2);
  expect(await shipOrder(demo.pool, random)).toBe(1);
  const { rows } = await demo.pool.query(
    `SELECT event_type FROM shop.outbox_events WHERE aggregate_id = (SELECT id FROM shop.orders WHERE status = 'shipped' LIMIT 1) ORDER BY sequence`,
  );
  expect(rows.map((row) => row.event_type)).toEqual(["order.placed", "order.paid", "order.shipped"]);
});

test("money keeps its cents and ledger numbers all their digits", async () => {
  const orderId = await openStandingOrder(demo.pool);
  await addInstalment(demo.pool, { orderId, currency: "EUR", random: () => 0.1 });
  const { rows } = await demo.pool.query(
    "SELECT payload::text FROM shop.outbox_events WHERE aggregate_id = $1 AND event_type = 'order.paid'",
    [orderId],
  );
  expect(rows[0]?.payload).toContain('"amount": 12.10');
  const ledgerEntry = /"ledgerEntry": (\d+)/.exec(rows[0]?.payload)?.[1] ?? "0";
  expect(BigInt(ledgerEntry)).toBeGreaterThan(BigInt(Number.MAX_SAFE_INTEGER));
});

test("writers of one aggregate take turns, so its sequence is its commit order", async () => {
  const orderId = await openStandingOrder(demo.pool);
  const first = await demo.pool.connect();
  await first.query("BEGIN");
  await first.query("SELECT 1 FROM shop.orders WHERE id = $1 FOR UPDATE", [orderId]);
  const before = await events();
  const second = addInstalment(demo.pool, { orderId, currency: "EUR", random });
  await first.query(
    "INSERT INTO shop.outbox_events (aggregate_type, aggregate_id, event_type, payload) VALUES ('order', $1, 'order.paid', '{}')",
    [orderId],
  );
  expect(await events()).toBe(before);
  await first.query("COMMIT");
  first.release();
  await second;
  const { rows } = await demo.pool.query(
    "SELECT payload::text FROM shop.outbox_events WHERE aggregate_id = $1 ORDER BY sequence DESC LIMIT 2",
    [orderId],
  );
  expect(rows[1]?.payload).toBe("{}");
});

test("the writer writes at the configured rate", async () => {
  const troubles: unknown[] = [];
  const standingOrderId = await openStandingOrder(demo.pool);
  const writer = new ShopWriter({
    pool: demo.pool,
    standingOrderId,
    instalmentCurrency: () => "EUR",
    onTrouble: (error) => troubles.push(error),
  });
  const before = await events();
  for (let tick = 0; tick < 20; tick += 1) {
    writer.runOnce(50, 40);
    await writer.settle();
  }
  const written = (await events()) - before;
  expect(troubles).toEqual([]);
  expect(written).toBeGreaterThanOrEqual(30);
  expect(written).toBeLessThanOrEqual(50);
  expect(writer.ordersPerSecond()).toBeGreaterThan(0);
});

test("housekeeping deletes old published events, and no unsent ones", async () => {
  await demo.pool.query(`INSERT INTO shop.outbox_events (aggregate_type, aggregate_id, event_type, payload, created_at, published_at) VALUES
    ('order', 'old-published', 'order.paid', '{}', now() - interval '3 hours', now() - interval '2 hours'),
    ('order', 'old-pending', 'order.paid', '{}', now() - interval '3 hours', NULL)`);
  expect(await sweepOldRows(demo.pool)).toBe(1);
  expect(await count("SELECT count(*) FROM shop.outbox_events WHERE aggregate_id = 'old-pending'")).toBe(1);
});
