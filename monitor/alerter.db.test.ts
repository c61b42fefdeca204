import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Records } from "#db/records/records.ts";
import { listAlerts } from "#services/alerts/list-alerts.ts";
import { testAlert } from "#services/alerts/test-alert.ts";
import type { Runtime } from "#services/runtime.ts";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { contextOf, openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
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

beforeEach(async () => {
  await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
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
  const alerter = new Alerter({ runtime, records, firstRetryMs: 1 });
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
  const alerter = new Alerter({ runtime, records, firstRetryMs: 1 });
  answers = Array.from({ length: 3 }, () => 410);
  await expect
    .poll(async () => {
      await alerter.runOnce();
      return answers.length;
    })
    .toBeLessThan(3);
  await database().pool.query("UPDATE outbox_console_app.alert_delivery SET at = now() - interval '25 hours'");
  answers = [410];
  await expect
    .poll(async () => {
      await alerter.runOnce();
      return (await records.alerts({ outboxes: null, limit: 1 }))[0]?.nextAttemptAt;
    })
    .toBe(null);
  expect(received).toEqual([]);
  answers = [];
  await alerter.runOnce();
  expect(received.map(({ event, status }) => [event, status])).toEqual([["trigger", "fail"]]);
});

test("a status that passes before its time is not told, and a test is only sent while a worker is alive", async () => {
  const state = { webhook: "pager", outbox: "quiet", gapMs: 30_000 };
  expect(await records.observeAlert({ ...state, seen: "fail" })).toMatchObject({ notified: "pass", seen: "fail" });
  expect(await records.observeAlert({ ...state, seen: "pass" })).toMatchObject({ notified: "pass", seen: "pass" });
  await expect(testAlert({ ctx: contextOf(runtime), webhook: "pager" })).rejects.toMatchObject({ code: "no_monitor" });
  await records.takeMonitorLease("test", 10_000);
  await testAlert({ ctx: contextOf(runtime), webhook: "pager" });
  await new Alerter({ runtime, records }).runOnce();
  expect(received.filter(({ event }) => event === "test")).toHaveLength(1);
});

test("time in which no worker looked does not count: a status must last while it is seen", async () => {
  await database().pool.query("TRUNCATE outbox_console_app.alert_state, outbox_console_app.alert_delivery");
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
  await database().pool.query("TRUNCATE outbox_console_app.alert_state, outbox_console_app.alert_delivery");
  const patient = openTestRuntime(database().url, {
    console: { databaseUrl: database().url },
    outboxes: { orders: { store: "shop", table: "public.outbox_events" } },
    alerts: { webhooks: { pager: { url: runtime.config.alerts.webhooks.pager?.url ?? "", after: "5m" } } },
  });
  try {
    const alerter = new Alerter({ runtime: patient, records });
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
