import { afterEach, beforeAll, expect, test } from "vitest";
import { messageQuerySchema } from "#contracts/message/messages.ts";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { ADMIN, contextOf, openOperatedRuntime, openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { startTcpProxy, type TcpProxy } from "#tests/tcp-proxy.ts";
import { waitFor } from "#tests/wait-for.ts";
import { checkHealth } from "./health/check-health.ts";
import { checkReady } from "./health/check-ready.ts";
import { renderMetrics } from "./health/render-metrics.ts";
import { listMessages } from "./messages/list-messages.ts";
import { performOperation } from "./operations/perform-operation.ts";
import { listOutboxes } from "./outboxes/list-outboxes.ts";
import { takeSnapshot } from "./outboxes/take-snapshot.ts";
import type { Runtime } from "./runtime.ts";

const database = testDatabase("migrated");
let runtime: Runtime;
let proxy: TcpProxy | undefined;

beforeAll(async () => {
  await database().pool.query(OUTBOX_EVENTS);
  await database().pool.query(
    "INSERT INTO outbox_events (event_type, payload) SELECT 'a', '{}' FROM generate_series(1, 100)",
  );
});

afterEach(async () => {
  await proxy?.resume();
  await runtime.close();
  await proxy?.close();
  proxy = undefined;
});

function changed(change: (url: URL) => void): string {
  const url = new URL(database().url);
  change(url);
  return url.toString();
}

const list = () => listMessages({ runtime, outbox: "orders", query: messageQuerySchema.parse({}) });

/**
 * Bounds on it distinguish seconds from the minutes of a hang or of targets tried one by one; they do not measure
 * speed.
 */
async function seconds(work: Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work.catch(() => undefined);
  return (performance.now() - started) / 1000;
}

/** Texts for operators must not contain a password, a query or a stack. */
function expectClean(text: string) {
  expect(text).not.toMatch(/SELECT |postgres(ql)?:\/\/|secret|password=|at \w+ \(|node_modules|\.ts:/);
}

test.each([
  ["a port where nothing listens", (url: URL) => Object.assign(url, { port: "1" }), "unavailable", /does not answer/],
  [
    "a host that does not exist",
    (url: URL) => Object.assign(url, { hostname: "no-such-host.invalid" }),
    "unavailable",
    /does not answer/,
  ],
  [
    "a database that does not exist",
    (url: URL) => Object.assign(url, { pathname: "/nope" }),
    "unavailable",
    /does not exist/,
  ],
  [
    "a user who does not exist",
    (url: URL) => Object.assign(url, { username: "nobody_here", password: "secret" }),
    "unavailable",
    /refuses the user name or password|does not/,
  ],
])("%s: each question says so, health fails, nothing leaks", async (_, change, code, text) => {
  runtime = openOperatedRuntime(
    changed((url) => void change(url)),
    "outbox_events",
  );
  await expect(list()).rejects.toMatchObject({ code, message: expect.stringMatching(text) });
  await expect(takeSnapshot({ runtime, outbox: "orders" })).rejects.toMatchObject({ code });
  const outboxes = await listOutboxes({ runtime });
  expect(outboxes.outboxes).toMatchObject([{ name: "orders", figures: null, problem: expect.stringMatching(text) }]);
  const health = await checkHealth({ runtime });
  expect(health.status).toBe("fail");
  expect(health.output).toMatch(text);
  expect(await checkReady({ runtime })).toBe("No database answers.");
  expect((await renderMetrics({ runtime })).text).not.toContain("outbox_messages{");
  expectClean(JSON.stringify([outboxes, health]));
});

test("with discovery alone a silent database is a failing check, not an empty one", async () => {
  runtime = openTestRuntime(changed((url) => void Object.assign(url, { port: "1" })));
  const health = await checkHealth({ runtime });
  expect(health.status).toBe("fail");
  expect(health.checks?.["shop:database"]?.[0]?.status).toBe("fail");
  expect((await listOutboxes({ runtime })).problems).toHaveLength(1);
});

test("a database that hangs: unavailable within seconds, and well again at once after", async () => {
  proxy = await startTcpProxy({ port: Number(new URL(database().url).port) });
  const { port } = proxy;
  runtime = openOperatedRuntime(
    changed((url) => void Object.assign(url, { port: String(port) })),
    "outbox_events",
  );
  const [message] = (await list()).messages;
  expect((await checkHealth({ runtime })).status).not.toBe("fail");
  proxy.pause();
  await expect(list()).rejects.toMatchObject({ code: "unavailable" });
  expect(await seconds(list())).toBeLessThan(15);
  const asked = performance.now();
  const health = await checkHealth({ runtime });
  expect(health.status).toBe("fail");
  expect(health.checks?.["orders:database"]?.[0]?.status).toBe("fail");
  expect((performance.now() - asked) / 1000).toBeLessThan(15);
  expect(await seconds(checkReady({ runtime }))).toBeLessThan(10);
  const targets = Array.from({ length: 100 }, (_, index) => ({
    id: `${message?.id.slice(0, -3)}${100 + index}`,
    version: "1",
  }));
  const act = performOperation({
    ctx: contextOf(runtime, ADMIN),
    outbox: "orders",
    request: { action: "retry", targets, reason: "while it hangs" },
    idempotencyKey: null,
  });
  expect(await seconds(act)).toBeLessThan(20);
  await proxy.resume();
  await expect.poll(async () => (await list().catch(() => null))?.messages).toHaveLength(50);
  expect((await checkHealth({ runtime })).checks?.["orders:database"]).toBeUndefined();
});

test("metrics call an outbox down no sooner and no later than health does, which says since when", async () => {
  proxy = await startTcpProxy({ port: Number(new URL(database().url).port) });
  const { port } = proxy;
  runtime = openOperatedRuntime(
    changed((url) => void Object.assign(url, { port: String(port) })),
    "outbox_events",
  );
  const health = () => checkHealth({ runtime, outbox: "orders" });
  const fails = async () => (await health()).status === "fail";
  expect(await fails()).toBe(false);
  await proxy.refuse();
  for (let [before, after] = [false, false]; !before; before = after) {
    const up = (await renderMetrics({ runtime })).text.includes('outbox_up{outbox="orders"} 1');
    after = await fails();
    expect([before, after]).toContain(!up);
  }
  const [check] = (await health()).checks?.["orders:database"] ?? [];
  expect(check?.output).toContain(`(since ${check?.since?.slice(11, 19)} UTC).`);
  expect((await health()).output).toContain(check?.output);
});

test("a database that goes away between two targets: the rest are not tried one by one", async () => {
  proxy = await startTcpProxy({ port: Number(new URL(database().url).port) });
  const { port } = proxy;
  runtime = openOperatedRuntime(
    changed((url) => void Object.assign(url, { port: String(port) })),
    "outbox_events",
  );
  const { messages } = await list();
  await takeSnapshot({ runtime, outbox: "orders" });
  const targets = messages.map(({ id, version }) => ({ id, version }));
  const holder = await database().pool.connect();
  await holder.query("BEGIN; SELECT 1 FROM outbox_events FOR UPDATE");
  const acting = performOperation({
    ctx: contextOf(runtime, ADMIN),
    outbox: "orders",
    request: { action: "dead-letter", targets, reason: "cut meanwhile" },
    idempotencyKey: null,
  });
  proxy.pause();
  await holder.query("ROLLBACK");
  holder.release();
  expect(await seconds(acting)).toBeLessThan(40);
  await proxy.resume();
  const { rows } = await database().pool.query(
    "SELECT (SELECT count(*)::int FROM outbox_events) + (SELECT count(*)::int FROM outbox_console.dead_letter) AS messages, (SELECT count(*)::int FROM outbox_console.audit) = (SELECT count(*)::int FROM outbox_console.dead_letter) AS audited",
  );
  expect(rows).toEqual([{ messages: 100, audited: true }]);
});

test("connections that are cut are replaced without a word", async () => {
  proxy = await startTcpProxy({ port: Number(new URL(database().url).port) });
  const { port } = proxy;
  runtime = openOperatedRuntime(
    changed((url) => void Object.assign(url, { port: String(port) })),
    "outbox_events",
  );
  await list();
  proxy.cut();
  await list().catch(() => undefined);
  expect((await list()).messages).toHaveLength(50);
  await proxy.refuse();
  await expect(list()).rejects.toMatchObject({ code: "unavailable" });
  await proxy.resume();
  expect((await list()).messages).toHaveLength(50);
});

test("a connection that is cut during a reading is replaced without a word", async () => {
  proxy = await startTcpProxy({ port: Number(new URL(database().url).port) });
  const { port } = proxy;
  runtime = openOperatedRuntime(
    changed((url) => void Object.assign(url, { port: String(port) })),
    "outbox_events",
  );
  await list();
  proxy.swallowAnswers();
  const { rows } = await database().pool.query("SELECT clock_timestamp() AS at");
  const reading = takeSnapshot({ runtime, outbox: "orders" });
  reading.catch(() => undefined);
  const asked = () =>
    database().pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query_start > $1 AND pid <> pg_backend_pid()`,
      [rows[0].at],
    );
  await waitFor(async () => (await asked()).rowCount, { message: "the reading has begun", intervalMs: 10 });
  proxy.cut();
  await proxy.resume();
  expect((await reading).counts.pending.value).toBe(100);
});
