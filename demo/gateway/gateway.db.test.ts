import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { SAMPLE_PAYLOADS } from "#demo/testing/sample-payload.fixture.ts";
import { deadUrl, SHOPS, shopUnderTest } from "#demo/testing/shop-under-test.fixture.ts";
import { openShopDatabase } from "../database/open-shop-database.ts";
import { analyticsConsumer } from "./analytics-consumer.ts";
import { Gateway } from "./gateway.ts";
import { loyaltyConsumer } from "./loyalty-consumer.ts";

const PAID = SAMPLE_PAYLOADS["order.paid"];

describe.each(SHOPS)("consumers on %s", (kind) => {
  let gateway: Gateway;
  const shop = shopUnderTest(kind, async ({ database }) => {
    gateway = new Gateway({ port: 0, consumers: [loyaltyConsumer(database), analyticsConsumer(database)] });
    await gateway.open();
  });
  afterAll(() => gateway?.close());

  async function send(id: string | null, options: { type?: string; body?: string; port?: number } = {}) {
    const headers: Record<string, string> = {
      "content-type": "application/json",
      "event-type": options.type ?? "order.paid",
      "aggregate-id": "ord-1",
    };
    if (id !== null) headers.event_id = id;
    const response = await fetch(`http://127.0.0.1:${options.port ?? gateway.port}/events`, {
      method: "POST",
      headers,
      body: options.body ?? PAID,
    });
    return { status: response.status, body: response.ok ? await response.json() : await response.text() };
  }

  const effects = async () => {
    const { tables, query } = shop();
    const [row = {}] = await query(`SELECT
      (SELECT sum(points) FROM ${tables.points}) AS points, (SELECT sum(revenue) FROM ${tables.revenue}) AS revenue,
      (SELECT count(*) FROM ${tables.loyaltyInbox}) AS loyalty, (SELECT count(*) FROM ${tables.processedEvents}) AS analytics`);
    const { points, revenue, loyalty, analytics } = row;
    return {
      ...{ points: Number(points), revenue: Number(revenue).toFixed(2) },
      ...{ loyalty: Number(loyalty), analytics: Number(analytics) },
    };
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

  test("an event that is no payment is received, and has no effect", async () => {
    const before = await effects();
    expect((await send(randomUUID(), { type: "order.shipped", body: SAMPLE_PAYLOADS["order.shipped"] })).status).toBe(
      202,
    );
    expect(await effects()).toEqual({ ...before, loyalty: before.loyalty + 1, analytics: before.analytics + 1 });
  });

  test("two copies at the same moment have one effect", async () => {
    const id = randomUUID();
    const before = await effects();
    const answers = await Promise.all([send(id), send(id), send(id)]);
    expect(answers.every((answer) => answer.status < 300)).toBe(true);
    expect((await effects()).points).toBe(before.points + 12);
  });

  test("payments of one customer at the same moment all count", async () => {
    const before = await effects();
    const answers = await Promise.all(Array.from({ length: 40 }, () => send(randomUUID())));
    expect(answers.map((answer) => answer.status)).toEqual(Array(40).fill(202));
    const after = await effects();
    expect(after.points).toBe(before.points + 480);
    expect(after.revenue).toBe((Number(before.revenue) + 484).toFixed(2));
  });

  test("a repeat is processed only by the consumer that missed it", async () => {
    const id = randomUUID();
    const { tables, query } = shop();
    await query(`INSERT INTO ${tables.loyaltyInbox} (message_id, event_type) VALUES (?, 'order.paid')`, [id]);
    const before = await effects();
    expect(await send(id)).toEqual({ status: 200, body: { repeat: ["loyalty"] } });
    const after = await effects();
    expect(after.points).toBe(before.points);
    expect(after.analytics).toBe(before.analytics + 1);
  });

  test.each([PAID.replace("12.10", '"twelve"'), "{}", "{no json"])(
    "a payload that its schema refuses leaves no inbox row: %s",
    async (body) => {
      const id = randomUUID();
      const answer = await send(id, { body });
      expect(answer.status).toBe(422);
      const { tables, query } = shop();
      expect(await query(`SELECT 1 AS one FROM ${tables.loyaltyInbox} WHERE message_id = ?`, [id])).toEqual([]);
    },
  );

  test("an event without an id, or with one that is no uuid, is refused", async () => {
    expect((await send(null)).status).toBe(400);
    expect((await send("42")).status).toBe(400);
  });

  test("a body of more than 4 MB is refused", async () => {
    expect((await send(randomUUID(), { body: "x".repeat(4 * 1024 * 1024 + 1) })).status).toBe(413);
  });

  test("a database that does not answer is 503, and the event may be sent again", async () => {
    const dead = await openShopDatabase({ url: deadUrl(kind), onTrouble: () => undefined });
    const consumers = [loyaltyConsumer(shop().database), analyticsConsumer(dead)];
    const lost = new Gateway({ port: 0, consumers });
    await lost.open();
    const id = randomUUID();
    expect((await send(id, { port: lost.port })).status).toBe(503);
    expect(await send(id)).toEqual({ status: 200, body: { repeat: ["loyalty"] } });
    await lost.close();
    await dead.close();
  });
});
