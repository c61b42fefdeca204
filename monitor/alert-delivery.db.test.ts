import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { NewAlert } from "#db/records/alerts.ts";
import type { Records } from "#db/records/records.ts";
import type { Runtime } from "#services/runtime.ts";
import { openTestRuntime } from "#tests/factories/runtime.ts";
import { type HttpReceiver, startHttpReceiver } from "#tests/http-receiver.ts";
import { testDatabase } from "#tests/postgres.ts";
import { AlertDelivery } from "./alert-delivery.ts";

const database = testDatabase("migrated");
let runtime: Runtime;
let records: Records;
let stopping: AbortController;
let dead: HttpReceiver;
let alive: HttpReceiver;
let deliveries: AlertDelivery[] = [];

beforeEach(async () => {
  await database().pool.query("TRUNCATE outbox_console_app.alert_state, outbox_console_app.alert_delivery");
  [dead, alive] = await Promise.all([startHttpReceiver(), startHttpReceiver()]);
  runtime = openTestRuntime(database().url, {
    console: { databaseUrl: database().url },
    alerts: { webhooks: { dead: { url: dead.url }, alive: { url: alive.url } } },
  });
  records = runtime.records ?? expect.unreachable();
  stopping = new AbortController();
});
afterEach(async () => {
  stopping.abort();
  await Promise.all([dead.close(), alive.close()]);
  await Promise.all(deliveries.map((delivery) => delivery.settle()));
  deliveries = [];
  await runtime.close();
});

function open(): AlertDelivery {
  const delivery = new AlertDelivery({ runtime, records, signal: stopping.signal, firstRetryMs: 1 });
  deliveries.push(delivery);
  return delivery;
}
const queue = (webhook: string, outbox: string, more: Partial<NewAlert> = {}) =>
  records.queueAlert({ webhook, outbox, event: "test", status: "fail", summary: outbox, ...more });
const summaries = (receiver: HttpReceiver) =>
  receiver.requests.map(({ body }) => (JSON.parse(body.toString()) as { summary: string }).summary);
const names = (count: number) => Array.from({ length: count }, (_, n) => `outbox-${n}`);

test("a webhook that does not answer delays no other, and gets a few alerts at once", async () => {
  dead.answerWith("hang");
  for (const outbox of names(30)) await queue("dead", outbox);
  for (const outbox of names(9)) await queue("alive", outbox);
  await open().runOnce();
  await expect.poll(() => summaries(alive).sort()).toEqual(names(9));
  await dead.waitForRequests(1);
  expect(dead.requests.length).toBeLessThanOrEqual(4);
});

test("an alert is sent once, however often it is looked for what is due", async () => {
  for (const outbox of names(20)) await queue("alive", outbox);
  const delivery = open();
  const due = async () => {
    await Promise.all([delivery.runOnce(), delivery.runOnce()]);
    return (await records.dueAlerts(1)).length;
  };
  await expect.poll(due, { interval: 1 }).toBe(0);
  await delivery.settle();
  expect(summaries(alive).sort()).toEqual(names(20).sort());
});

test("alerts about one outbox come in order, also where the first is refused for now", async () => {
  alive.answerNext({ status: 503 }, { status: 503 });
  for (const summary of ["first", "second"]) await queue("alive", "orders", { summary });
  const delivery = open();
  const sent = async () => {
    await delivery.runOnce();
    return summaries(alive);
  };
  await expect.poll(sent).toEqual(["first", "first", "first", "second"]);
});

test("after the abort nothing is sent, and what had no answer stays due for the next leader", async () => {
  dead.answerWith("hang");
  await queue("dead", "orders");
  const delivery = open();
  await delivery.runOnce();
  await dead.waitForRequests(1);
  await queue("alive", "orders");
  stopping.abort();
  await delivery.runOnce();
  await delivery.settle();
  expect(alive.requests).toEqual([]);
  const due = await records.dueAlerts(10);
  expect(due.map(({ webhook, attempts }) => [webhook, attempts])).toEqual([
    ["dead", 0],
    ["alive", 0],
  ]);
});

test("the age at which an alert is given up is that of the database's clock", async () => {
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + 2 * 86_400_000);
  onTestFinished(() => void vi.restoreAllMocks());
  alive.answerNext({ status: 503 });
  await queue("alive", "orders");
  const delivery = open();
  const sent = async () => {
    await delivery.runOnce();
    return summaries(alive);
  };
  await expect.poll(sent).toEqual(["orders", "orders"]);
});
