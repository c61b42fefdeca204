import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { SHOPS, shopUnderTest } from "#demo/testing/shop-under-test.fixture.ts";
import { settleOrder, shipOrder } from "./advance-order.ts";
import { placeOrders } from "./place-orders.ts";
import { registerCustomers } from "./register-customers.ts";
import { ShopWriter } from "./shop-writer.ts";
import { addInstalment, openStandingOrder } from "./standing-order.ts";

const random = Math.random;

describe.each(SHOPS)("a shop on %s", (kind) => {
  const shop = shopUnderTest(kind, async ({ database }) => {
    await registerCustomers(database, { count: 20, random });
  });
  const database = () => shop().database;

  const count = async (sql: string) => Number((await shop().query(sql))[0]?.count);
  const events = () => count(`SELECT count(*) AS count FROM ${shop().tables.events}`);
  const orders = () => count(`SELECT count(*) AS count FROM ${shop().tables.orders}`);
  const payloads = async (where: string, values: readonly unknown[]) =>
    (await shop().query(`SELECT payload FROM ${shop().tables.events} WHERE ${where}`, values)).map(
      ({ payload }) => payload,
    );

  test("creates its tables again over those in use", async () => {
    const before = await events();
    await database().createTables();
    expect(await events()).toBe(before);
    expect(before).toBe(20);
  });

  test("an order and its event are committed together", async () => {
    const before = { events: await events(), orders: await orders() };
    expect(await placeOrders(database(), { count: 3, random })).toBe(3);
    expect(await events()).toBe(before.events + 3);
    expect(await orders()).toBe(before.orders + 3);
  });

  test("each order of several has its own customer, lines and event", async () => {
    let made: { id: string; customerId: string }[] = [];
    await database().transaction(async (db) => {
      const customers = await db.pickCustomers([0, 0.5, 0.999]);
      expect(new Set(customers).size).toBe(3);
      made = await db.insertOrders(
        customers.map((customerId, index) => ({ customerId, status: "placed", currency: "EUR", total: `${index}.10` })),
      );
      expect(made.map((order) => order.customerId)).toEqual(customers);
      await db.insertLines(
        made.map(({ id }) => ({ orderId: id, line: 1, sku: id, title: "“Größe M”", quantity: 2, unitPrice: "12.10" })),
      );
      for (const { id } of made) {
        expect(await db.readLines(id)).toEqual([
          { line: 1, sku: id, title: "“Größe M”", quantity: 2, unitPrice: "12.10" },
        ]);
      }
    });
    const [last] = made.slice(-1);
    const found = await database().transaction((db) => db.lockOrder(last?.id ?? ""));
    expect(found).toEqual({ ...last, number: last?.id.slice(4), currency: "EUR", total: "2.10" });
  });

  test("when the event cannot be written there is no order either", async () => {
    const before = { events: await events(), orders: await orders() };
    const { tables, query } = shop();
    await query(`ALTER TABLE ${tables.events} RENAME TO hidden`);
    await expect(placeOrders(database(), { count: 1, random })).rejects.toThrow(/outbox_events/);
    await query(`ALTER TABLE ${tables.events.replace("outbox_events", "hidden")} RENAME TO outbox_events`);
    expect({ events: await events(), orders: await orders() }).toEqual(before);
  });

  test("an order goes from placed to paid with its invoice, to shipped", async () => {
    await placeOrders(database(), { count: 1, random });
    const paying = await database().transaction(async (db) => (await db.lockNextOrder("placed"))?.id);
    expect(await settleOrder(database(), () => 0.5)).toBe(2);
    expect(await shipOrder(database(), random)).toBe(1);
    const rows = await shop().query(
      `SELECT event_type FROM ${shop().tables.events} WHERE aggregate_id = ? ORDER BY sequence`,
      [paying],
    );
    expect(rows.map((row) => row.event_type)).toEqual(["order.placed", "order.paid", "order.shipped"]);
  });

  test("money keeps its cents and ledger numbers all their digits", async () => {
    const orderId = await openStandingOrder(database());
    await addInstalment(database(), { orderId, currency: "EUR", random: () => 0.1 });
    const [payload] = await payloads("aggregate_id = ? AND event_type = 'order.paid'", [orderId]);
    // MySQL's own JSON prints a number without the zeros at its end.
    expect(payload).toMatch(kind === "mysql" ? /"amount": 12\.1,/ : /"amount": ?12\.10,/);
    const ledgerEntry = /"ledgerEntry": ?(\d+)/.exec(payload ?? "")?.[1] ?? "0";
    expect(BigInt(ledgerEntry)).toBeGreaterThan(BigInt(Number.MAX_SAFE_INTEGER));
    expect(BigInt(ledgerEntry) - 9_007_199_254_740_993n - BigInt(orderId.slice(4)) * 1000n).toBe(100n);
  });

  test("writers of one aggregate take turns, so its sequence is its commit order", async () => {
    const orderId = await openStandingOrder(database());
    const before = await events();
    let second: Promise<number> | null = null;
    await database().transaction(async (first) => {
      await first.lockOrder(orderId);
      second = addInstalment(database(), { orderId, currency: "EUR", random });
      await first.insertEvents([
        ["order.cancelled", { orderId, customerId: "cus-1", reason: "the first of two", refund: 0 }],
      ]);
      expect(await events()).toBe(before);
    });
    await second;
    const last = await payloads("aggregate_id = ? ORDER BY sequence DESC LIMIT 2", [orderId]);
    expect(last[1]).toContain("the first of two");
  });

  test("the writer writes at the configured rate", async () => {
    const troubles: unknown[] = [];
    const standingOrderId = await openStandingOrder(database());
    const writer = new ShopWriter({
      database: database(),
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
    const { hoursAgo, query, tables } = shop();
    const made = hoursAgo(3);
    await query(
      `INSERT INTO ${tables.events} (id, aggregate_type, aggregate_id, event_type, payload, created_at, published_at) VALUES
        (?, 'order', 'old-published', 'order.paid', '{}', ${made}, ${hoursAgo(2)}),
        (?, 'order', 'old-pending', 'order.paid', '{}', ${made}, NULL)`,
      [randomUUID(), randomUUID()],
    );
    expect(await database().sweepOldRows()).toBe(1);
    expect(await count(`SELECT count(*) AS count FROM ${tables.events} WHERE aggregate_id = 'old-pending'`)).toBe(1);
  });
});
