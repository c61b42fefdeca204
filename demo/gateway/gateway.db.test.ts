import { randomUUID } from "node:crypto";
import { Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoRuntime, openDemoRuntime } from "#demo/testing/demo-runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { analyticsConsumer } from "./analytics-consumer.ts";
import { Gateway } from "./gateway.ts";
import { loyaltyConsumer } from "./loyalty-consumer.ts";

const database = testDatabase();
let demo: DemoRuntime;
let gateway: Gateway;

beforeAll(async () => {
  demo = await openDemoRuntime(database().url);
  gateway = new Gateway({ port: 0, consumers: [loyaltyConsumer(demo.pool), analyticsConsumer(demo.pool)] });
  await gateway.open();
});
afterAll(async () => {
  await gateway.close();
  await demo.close();
});

const PAID = '{"customerId": "cus-1", "amount": 12.10, "currency": "EUR", "ledgerEntry": 9007199254740993}';

async function send(id: string | null, options: { type?: string; body?: string; port?: number } = {}) {
  const headers: Record<string, string> = { "event-type": options.type ?? "order.paid", "aggregate-id": "ord-1" };
  if (id !== null) headers.event_id = id;
  const response = await fetch(`http://127.0.0.1:${options.port ?? gateway.port}/events`, {
    method: "POST",
    headers,
    body: options.body ?? PAID,
  });
  return { status: response.status, body: response.ok ? await response.json() : await response.text() };
}

const effects = async () => {
  const { rows } = await demo.pool.query(`SELECT
    (SELECT coalesce(sum(points), 0)::int FROM loyalty.points) AS points, (SELECT coalesce(sum(revenue), 0)::text FROM analytics.daily_revenue) AS revenue,
    (SELECT count(*)::int FROM loyalty.inbox) AS loyalty, (SELECT count(*)::int FROM analytics.processed_events) AS analytics`);
  return rows[0];
};

test("an event has its effect once, however often it is sent", async () => {
  const id = randomUUID();
  const before = await effects();
  expect((await send(id)).status).toBe(202);
  expect(await send(id)).toEqual({ status: 200, body: { repeat: ["loyalty", "analytics"] } });
  const after = await effects();
  expect(after).toEqual({
    points: before.points + 12,
    revenue: (Number(before.revenue) + 12.1).toFixed(2),
    loyalty: before.loyalty + 1,
    analytics: before.analytics + 1,
  });
});

test("two copies at the same moment have one effect", async () => {
  const id = randomUUID();
  const before = await effects();
  const answers = await Promise.all([send(id), send(id), send(id)]);
  expect(answers.every((answer) => answer.status < 300)).toBe(true);
  expect((await effects()).points).toBe(before.points + 12);
});

test("a repeat is processed only by the consumer that missed it", async () => {
  const id = randomUUID();
  await demo.pool.query("INSERT INTO loyalty.inbox (message_id, event_type) VALUES ($1, 'order.paid')", [id]);
  const before = await effects();
  expect(await send(id)).toEqual({ status: 200, body: { repeat: ["loyalty"] } });
  const after = await effects();
  expect(after.points).toBe(before.points);
  expect(after.analytics).toBe(before.analytics + 1);
});

test("an effect that fails leaves no inbox row", async () => {
  const id = randomUUID();
  const answer = await send(id, { body: '{"customerId": "cus-1", "amount": "twelve", "currency": "EUR"}' });
  expect(answer.status).toBe(422);
  const { rows } = await demo.pool.query("SELECT 1 FROM loyalty.inbox WHERE message_id = $1", [id]);
  expect(rows).toEqual([]);
});

test("an event without an id, or with one that is no uuid, is refused", async () => {
  expect((await send(null)).status).toBe(400);
  expect((await send("42")).status).toBe(400);
});

test("a body of more than 4 MB is refused", async () => {
  expect((await send(randomUUID(), { body: "x".repeat(4 * 1024 * 1024 + 1) })).status).toBe(413);
});

test("a database that does not answer is 503, and the event may be sent again", async () => {
  const pool = new Pool({ connectionString: "postgres://nobody@127.0.0.1:1/none", connectionTimeoutMillis: 500 });
  const lost = new Gateway({ port: 0, consumers: [loyaltyConsumer(demo.pool), analyticsConsumer(pool)] });
  await lost.open();
  const id = randomUUID();
  expect((await send(id, { port: lost.port })).status).toBe(503);
  expect(await send(id)).toEqual({ status: 200, body: { repeat: ["loyalty"] } });
  await lost.close();
  await pool.end();
});
