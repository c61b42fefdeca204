import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Records } from "#db/records/records.ts";
import { listAlerts } from "#services/alerts/list-alerts.ts";
import { testAlert } from "#services/alerts/test-alert.ts";
import { configSchema } from "#services/config/config-schema.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { contextOf, openTestRuntime } from "#tests/factories/runtime.ts";
import { createTestDatabase, testDatabase } from "#tests/postgres.ts";
import { AlertDelivery } from "./alert-delivery.ts";
import { Alerter } from "./alerter.ts";

const database = testDatabase("migrated");
let runtime: Runtime;
let records: Records;
let received: { event: string; summary: string; status: string; auth: string | undefined }[] = [];
let answers: number[] = [];

const receiver = createServer(async (request, response) => {
  const body = JSON.parse(await text(request));
  const status = answers.shift() ?? 200;
  if (status === 200) received.push({ ...body, auth: request.headers.authorization });
  response.writeHead(status).end(status === 200 ? "" : "not now");
});

/** A worker's rounds: it watches, and sends what is due until all is answered. */
function openRounds(of: Runtime = runtime, firstRetryMs = 1) {
  const { signal } = new AbortController();
  const alerter = new Alerter({ runtime: of, records, signal, onQueued: () => undefined });
  const delivery = new AlertDelivery({ runtime: of, records, signal, firstRetryMs });
  return {
    runOnce: async () => {
      await alerter.runOnce();
      await alerter.settle();
      await delivery.runOnce();
      await delivery.settle();
    },
  };
}

beforeEach(async () => {
  await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
  await database().pool.query("TRUNCATE outbox_console_app.alert_state, outbox_console_app.alert_delivery");
  const { port } = receiver.address() as AddressInfo;
  await database().pool.query(`DROP SCHEMA public CASCADE; CREATE SCHEMA public; ${OUTBOX_EVENTS};
    INSERT INTO outbox_events (event_type, payload, occurred_at) VALUES ('order.placed', '{}', now() - interval '1 hour')`);
  const webhook = { url: `http://127.0.0.1:${port}/hook?secret=s3cr3t`, headers: { authorization: "Bearer t0k3n" } };
  runtime = openTestRuntime(database().url, {
    console: { databaseUrl: database().url },
    outboxes: { orders: { store: "shop", table: "public.outbox_events" } },
    alerts: { webhooks: { pager: { ...webhook, after: "1ms", resolveAfter: "1ms" } } },
  });
  records = runtime.records ?? expect.unreachable();
});
afterEach(async () => {
  await runtime.close();
  received = [];
  answers = [];
  await new Promise((closed) => receiver.close(closed));
});

test("a failing outbox is told with the diagnosis until the webhook takes it, once, and its end too", async () => {
  const alerter = openRounds();
  answers = [503, 500];
  await expect
    .poll(async () => {
      await alerter.runOnce();
      return received.length;
    })
    .toBe(1);
  expect(received[0]).toMatchObject({ event: "trigger", status: "fail", auth: "Bearer t0k3n" });
  expect(received[0]?.summary).toMatch(/^orders: /);
  await alerter.runOnce();
  expect(received).toHaveLength(1);
  await database().pool.query("UPDATE outbox_events SET dispatched_at = now()");
  await expect
    .poll(async () => {
      await alerter.runOnce();
      return received.map(({ event }) => event);
    })
    .toEqual(["trigger", "resolve"]);
  const { webhooks, alerts } = await listAlerts({ runtime });
  expect(alerts.map(({ event, attempts }) => [event, attempts])).toEqual([
    ["resolve", 1],
    ["trigger", 3],
  ]);
  expect(JSON.stringify(webhooks)).not.toMatch(/s3cr3t|t0k3n/);
});

test("an alert that was given up is told again once the webhook takes it, if health still says so", async () => {
  const alerter = openRounds();
  const refusals = 1_000;
  answers = Array.from({ length: refusals }, () => 410);
  await expect
    .poll(async () => {
      await alerter.runOnce();
      return answers.length;
    })
    .toBeLessThan(refusals);
  await database().pool.query("UPDATE outbox_console_app.alert_delivery SET at = now() - interval '25 hours'");
  await expect
    .poll(async () => {
      await alerter.runOnce();
      return (await records.alerts({ outboxes: null, limit: 100 })).some(({ nextAttemptAt }) => nextAttemptAt === null);
    })
    .toBe(true);
  expect(received).toEqual([]);
  answers = [];
  await expect
    .poll(async () => {
      await alerter.runOnce();
      return received.map(({ event, status }) => [event, status]);
    })
    .toEqual([["trigger", "fail"]]);
});

test("a status that passes before its time is not told, and a test is only sent while a worker is alive", async () => {
  const state = { webhook: "pager", outbox: "quiet", gapMs: 30_000 };
  expect(await records.observeAlert({ ...state, seen: "fail" })).toMatchObject({ notified: "pass", seen: "fail" });
  expect(await records.observeAlert({ ...state, seen: "pass" })).toMatchObject({ notified: "pass", seen: "pass" });
  await expect(testAlert({ ctx: contextOf(runtime), webhook: "pager" })).rejects.toMatchObject({ code: "no_monitor" });
  await records.takeMonitorLease("test", 10_000);
  await testAlert({ ctx: contextOf(runtime), webhook: "pager" });
  await openRounds().runOnce();
  expect(received.filter(({ event }) => event === "test")).toHaveLength(1);
});

test("time in which no worker looked does not count: a status must last while it is seen", async () => {
  const ago = (column: string, time: string) =>
    database().pool.query(`UPDATE outbox_console_app.alert_state SET ${column} = now() - interval '${time}'`);
  const failing = { webhook: "pager", outbox: "orders", seen: "fail" as const, gapMs: 30_000 };
  await records.observeAlert(failing);
  await ago("seen_since", "1 hour");
  expect((await records.observeAlert(failing)).seenMs).toBeGreaterThan(3_500_000);
  await ago("seen_at", "10 minutes");
  expect((await records.observeAlert(failing)).seenMs).toBeLessThan(600_000);
  await ago("seen_since", "1 hour");
  expect((await records.observeAlert(failing)).seenMs).toBeGreaterThan(3_500_000);
});

test("a worker that starts after a pause tells nothing of what it has seen once only", async () => {
  const patient = openTestRuntime(database().url, {
    console: { databaseUrl: database().url },
    outboxes: { orders: { store: "shop", table: "public.outbox_events" } },
    alerts: { webhooks: { pager: { url: runtime.config.alerts.webhooks.pager?.url ?? "", after: "5m" } } },
  });
  try {
    const alerter = openRounds(patient);
    await alerter.runOnce();
    await database().pool.query(
      "UPDATE outbox_console_app.alert_state SET seen_since = now() - interval '20 minutes', seen_at = now() - interval '19 minutes'",
    );
    await alerter.runOnce();
    expect(received).toEqual([]);
    await database().pool.query("UPDATE outbox_console_app.alert_state SET seen_since = now() - interval '6 minutes'");
    await alerter.runOnce();
    expect(received).toMatchObject([{ event: "trigger", status: "fail" }]);
  } finally {
    await patient.close();
  }
});

test("while a store's health is awaited, alerts of another store are sent, and nothing is recorded after the abort", async () => {
  const elsewhere = await createTestDatabase("migrated");
  await elsewhere.pool.query(OUTBOX_EVENTS);
  const config = configSchema.parse({
    console: { databaseUrl: database().url },
    stores: { far: { kind: "postgres", url: elsewhere.url }, shop: { kind: "postgres", url: database().url } },
    outboxes: {
      distant: { store: "far", table: "public.outbox_events" },
      orders: { store: "shop", table: "public.outbox_events" },
    },
  });
  const { alerts } = runtime.config;
  const two = openRuntime({ config: { ...config, alerts }, applicationName: "outbox-console test", env: {} });
  try {
    const { guard } = (await two.outbox("distant")).store;
    const answer = Promise.withResolvers<void>();
    const ask = guard.ask.bind(guard);
    guard.ask = (...question) => answer.promise.then(() => ask(...question));
    const stopping = new AbortController();
    const { signal } = stopping;
    const delivery = new AlertDelivery({ runtime: two, records, signal });
    const alerter = new Alerter({ runtime: two, records, signal, onQueued: () => delivery.runSoon() });
    await expect
      .poll(async () => {
        await alerter.runOnce();
        return received;
      })
      .toMatchObject([{ event: "trigger", status: "fail" }]);
    stopping.abort();
    answer.resolve();
    await Promise.all([alerter.settle(), delivery.settle()]);
    const { rows } = await database().pool.query("SELECT outbox FROM outbox_console_app.alert_state");
    expect(rows).toEqual([{ outbox: "orders" }]);
  } finally {
    await two.close();
    await elsewhere.drop();
  }
});

test("time for which the leading worker waits for a store is no gap", async () => {
  const pager = runtime.config.alerts.webhooks.pager ?? expect.unreachable();
  pager.after = 300_000;
  const alerter = openRounds();
  await alerter.runOnce();
  await database().pool.query(
    "UPDATE outbox_console_app.alert_state SET seen_since = now() - interval '20 minutes', seen_at = now() - interval '80 seconds'",
  );
  const now = performance.now.bind(performance);
  const later = vi.spyOn(performance, "now").mockImplementation(() => now() + 80_000);
  try {
    await alerter.runOnce();
  } finally {
    later.mockRestore();
  }
  expect(received).toMatchObject([{ event: "trigger", status: "fail" }]);
});
