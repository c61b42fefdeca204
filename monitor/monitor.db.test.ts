import { expect, test } from "vitest";
import { openRecords, recordsOver } from "#db/records/open-records.ts";
import { openDemoRuntime } from "#demo/testing/demo-runtime.fixture.ts";
import { listOutboxes } from "#services/outboxes/list-outboxes.ts";
import { startTcpProxy } from "#tests/tcp-proxy.ts";
import { waitFor } from "#tests/wait-for.ts";
import { demoDatabase } from "./demo-database.fixture.ts";
import { startMonitor } from "./start-monitor.ts";
import { Watchdog } from "./watchdog.ts";

const { database, demo, query, count } = demoDatabase();
const { signal } = new AbortController();
const fast = { leaseMs: 10_000, renewMs: 100 };
/** Started monitors, stopped after each test. */
const brief = { leaseMs: 900, renewMs: 100 };

test("one of two monitors leads; when it stops, the other takes over at once", async () => {
  const first = await startMonitor({ runtime: demo().runtime, ...fast });
  await waitFor(() => first.leads, { message: "the first leads" });
  const second = await startMonitor({ runtime: demo().runtime, ...fast });
  await waitFor(async () => (await count("SELECT count(*) FROM outbox_console_app.sample")) > 0, {
    message: "the leader has sampled",
  });
  expect([first.leads, second.leads]).toEqual([true, false]);
  await first.stop();
  await waitFor(() => second.leads, { message: "the second leads" });
  await second.stop();
  expect(second.leads).toBe(false);
});

test("when the leader stops renewing, another takes over after its lease, and the first stops before that", async () => {
  const proxy = await startTcpProxy({ port: Number(new URL(database().url).port) });
  const url = new URL(database().url);
  url.port = String(proxy.port);
  const cutOff = await openDemoRuntime(database().url, url.toString());
  const first = await startMonitor({ runtime: cutOff.runtime, ...brief });
  await waitFor(() => first.leads, { message: "the first leads" });
  await proxy.refuse();
  const second = await startMonitor({ runtime: demo().runtime, ...brief });
  await waitFor(() => second.leads, { message: "the second leads" });
  expect(first.leads).toBe(false);
  await proxy.resume();
  await second.stop();
  await waitFor(() => first.leads, { message: "the first leads again once its database is back" });
  await first.stop();
  await cutOff.close();
  await proxy.close();
});

test("a leader whose database hangs stops before its lease expires", async () => {
  const proxy = await startTcpProxy({ port: Number(new URL(database().url).port) });
  const url = new URL(database().url);
  url.port = String(proxy.port);
  const hanging = await openDemoRuntime(database().url, url.toString());
  const first = await startMonitor({ runtime: hanging.runtime, leaseMs: 6000, renewMs: 100 });
  await waitFor(() => first.leads, { message: "it leads" });
  proxy.pause();
  await waitFor(() => !first.leads, { message: "it leads no more" });
  expect(await count("SELECT count(*) FROM outbox_console_app.monitor_lease WHERE until > clock_timestamp()")).toBe(1);
  await proxy.resume();
  await first.stop();
  await hanging.close();
  await proxy.close();
});

test("an aborted signal stops it", async () => {
  const stopping = new AbortController();
  const monitor = await startMonitor({ runtime: demo().runtime, signal: stopping.signal, ...fast });
  await waitFor(() => monitor.leads, { message: "it leads" });
  stopping.abort();
  await waitFor(() => !monitor.leads, { message: "it has stopped" });
  await monitor.stop();
});

test("a console database that is not there is no crash", async () => {
  const url = "postgres://nobody@127.0.0.1:1/none";
  const records = openRecords({ url, applicationName: "outbox-console test" });
  const monitor = await startMonitor({ runtime: { ...demo().runtime, records }, ...fast });
  expect(monitor.leads).toBe(false);
  await monitor.stop();
  await records.close();
});

test("an outbox that cannot be read is a finding of its history, in the list's words, until it is read", async () => {
  const watchdog = new Watchdog({ runtime: demo().runtime, records: recordsOver(demo().pool), signal });
  const look = async () => watchdog.look(await demo().runtime.outbox("orders"));
  const open = () =>
    query(
      "SELECT subject, detail ->> 'sentence' AS sentence FROM outbox_console_app.finding WHERE outbox = 'orders' AND rule = 'mapping' AND closed_at IS NULL",
    );
  await query("ALTER TABLE shop.outbox_events RENAME TO gone");
  const refused = () =>
    look().then(
      () => false,
      () => true,
    );
  await waitFor(refused, { message: "it cannot be read" });
  const { outboxes } = await listOutboxes({ runtime: demo().runtime });
  const said = outboxes.find(({ name }) => name === "orders")?.verdict.cause;
  // A check that began before the catalog was read again reports the database's own words.
  await watchdog.runOnce();
  await watchdog.settle();
  expect(await open()).toEqual([{ subject: "unreadable", sentence: said }]);
  await query("ALTER TABLE shop.gone RENAME TO outbox_events");
  demo().runtime.reread();
  await waitFor(async () => !(await refused()), { message: "it is read again" });
  expect(await open()).toEqual([]);
});
