import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { z } from "zod";
import { configSchema } from "#services/config/config-schema.ts";
import { EVENTS_OUTBOX, OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { ADMIN, contextOf, OPERATOR } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { startTcpProxy, type TcpProxy } from "#tests/tcp-proxy.ts";
import { waitFor } from "#tests/wait-for.ts";
import { listAudit } from "../audit/list-audit.ts";
import { checkHealth } from "../health/check-health.ts";
import { renderMetrics } from "../health/render-metrics.ts";
import { listInboxes } from "../inboxes/list-inboxes.ts";
import { listOutboxes } from "../outboxes/list-outboxes.ts";
import { takeSnapshot } from "../outboxes/take-snapshot.ts";
import { openRuntime, type Runtime } from "../runtime.ts";
import { forgetTable } from "./forget-table.ts";

const shop = testDatabase("empty");
const billing = testDatabase("empty");
const side = testDatabase("migrated");
const runtimes: Runtime[] = [];
const proxies: TcpProxy[] = [];

beforeEach(async () => {
  for (const database of [shop(), billing()])
    await database.pool.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  await side().pool.query("TRUNCATE outbox_console_app.known_table, outbox_console_app.audit");
});

afterEach(async () => {
  await Promise.all(runtimes.splice(0).map((runtime) => runtime.close()));
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
});

type Extra = Partial<z.input<typeof configSchema>>;

/** One process: `start()` twice is a restart. */
function start(extra: Extra = {}): Runtime {
  const config = configSchema.parse({
    console: { databaseUrl: side().url },
    stores: { shop: { kind: "postgres", url: shop().url }, billing: { kind: "postgres", url: billing().url } },
    ...extra,
  });
  const runtime = openRuntime({ config, applicationName: "outbox-console test", env: {} });
  runtimes.push(runtime);
  return runtime;
}

async function stop(runtime: Runtime) {
  runtimes.splice(runtimes.indexOf(runtime), 1);
  await runtime.close();
}

/** Without a console database only memory remembers. */
const MEMORY_ALONE: Extra = { console: {} };
/** A problem makes the catalog be read every 3 s, as it is after a minute otherwise. */
const READ_OFTEN: Extra = { inboxes: { ghost: { store: "shop", table: "ghost" } } };

async function through(url: string): Promise<{ url: string; proxy: TcpProxy }> {
  const proxy = await startTcpProxy({ port: Number(new URL(url).port) });
  proxies.push(proxy);
  return { url: Object.assign(new URL(url), { port: String(proxy.port) }).toString(), proxy };
}

const namesOf = async (runtime: Runtime) => (await runtime.tables()).outboxes.map((outbox) => outbox.name).sort();
const summaryOf = async (runtime: Runtime, name: string) =>
  (await listOutboxes({ runtime })).outboxes.find((outbox) => outbox.name === name);

/** Health, metrics, list, snapshot and API agree that it is not there. */
async function expectGone(runtime: Runtime, name: string, reason: RegExp) {
  const health = await checkHealth({ runtime });
  expect(health.status).toBe("fail");
  expect(health.checks?.[`${name}:database`]).toMatchObject([
    { status: "fail", output: expect.stringMatching(reason) },
  ]);
  expect((await checkHealth({ runtime, outbox: name })).status).toBe("fail");
  expect((await renderMetrics({ runtime })).text).toContain(`outbox_up{outbox="${name}"} 0`);
  expect(await summaryOf(runtime, name)).toMatchObject({ figures: null, problem: expect.stringMatching(reason) });
  await expect(takeSnapshot({ runtime, outbox: name })).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringMatching(reason),
  });
}

describe("an outbox that was once seen", () => {
  beforeEach(() => shop().pool.query(OUTBOX_EVENTS));

  test.each([
    ["its table is dropped", "DROP TABLE outbox_events", /table public\.outbox_events of outbox outbox_events is gone/],
    ["its table is renamed", "ALTER TABLE outbox_events RENAME TO archive_2026", /is gone from store shop/],
    [
      "a column is dropped",
      "ALTER TABLE outbox_events DROP COLUMN payload",
      /outbox_events.*payload|no longer recognised/,
    ],
  ])("still fails after a restart when %s", async (_, sql, reason) => {
    const before = start();
    expect(await namesOf(before)).toEqual(["outbox_events"]);
    expect((await checkHealth({ runtime: before })).status).toBe("pass");
    await stop(before);
    await shop().pool.query(sql);
    await expectGone(start(), "outbox_events", reason);
  });

  test("still fails when its database is down at the next start, and is well when it is back", async () => {
    const { url, proxy } = await through(shop().url);
    const stores = { shop: { kind: "postgres" as const, url } };
    const before = start({ stores });
    await before.tables();
    await stop(before);
    await proxy.refuse();
    const after = start({ stores });
    await expectGone(after, "outbox_events", /does not answer/);
    expect(await summaryOf(after, "outbox_events")).toMatchObject({ absent: { since: null, forgettable: false } });
    await proxy.resume();
    await waitFor(async () => (await checkHealth({ runtime: after })).status === "pass", { message: "health passes" });
  });

  test("fails without a console database too, as long as the process lives", async () => {
    const runtime = start({ ...MEMORY_ALONE, ...READ_OFTEN });
    expect(await namesOf(runtime)).toEqual(["outbox_events"]);
    await shop().pool.query("DROP TABLE outbox_events");
    await waitFor(async () => (await summaryOf(runtime, "outbox_events"))?.absent?.forgettable, { message: "is gone" });
    await expectGone(runtime, "outbox_events", /is gone/);
  });

  test("is named with since when it is gone, which a restart does not move", async () => {
    await stopAfter(start());
    await shop().pool.query("DROP TABLE outbox_events");
    const first = start();
    await first.tables();
    await stop(first);
    const { rows } = await side().pool.query("SELECT missing_since FROM outbox_console_app.known_table");
    expect(rows).toEqual([{ missing_since: expect.any(Date) }]);
    const second = start();
    const since = (await summaryOf(second, "outbox_events"))?.absent?.since ?? "";
    expect(Date.parse(since)).toBe(rows[0].missing_since.getTime());
  });

  test("goes when its store, or looking for tables, is taken out of the configuration", async () => {
    await stopAfter(start());
    await shop().pool.query("DROP TABLE outbox_events");
    expect(await summaryOf(start({ discover: false }), "outbox_events")).toBeUndefined();
    const without = start({ stores: { billing: { kind: "postgres", url: billing().url } } });
    expect(await summaryOf(without, "outbox_events")).toBeUndefined();
    expect((await checkHealth({ runtime: without })).status).toBe("warn");
  });

  test("is one outbox under its new name once it is configured, gone or not", async () => {
    await stopAfter(start());
    const outboxes = { orders: { store: "shop", table: "outbox_events" } };
    const configured = start({ outboxes });
    expect((await listOutboxes({ runtime: configured })).outboxes.map((one) => one.name)).toEqual(["orders"]);
    await stop(configured);
    await shop().pool.query("DROP TABLE outbox_events");
    const gone = start({ outboxes });
    await expectGone(gone, "orders", /not in store shop.*It was last seen at 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC\./);
    expect((await listOutboxes({ runtime: gone })).outboxes.map((one) => one.name)).toEqual(["orders"]);
  });

  test("is written when something changes, and not at every reading", async () => {
    const runtime = start(READ_OFTEN);
    await runtime.tables();
    await runtime.known.settle();
    const written = () => side().pool.query("SELECT xmin::text, name FROM outbox_console_app.known_table");
    const before = (await written()).rows;
    expect(before).toHaveLength(1);
    const [first] = (await runtime.tables()).outboxes;
    await waitFor(async () => (await runtime.tables()).outboxes[0] !== first, { message: "the catalog is read again" });
    await runtime.known.settle();
    expect((await written()).rows).toEqual(before);
  });
});

test("an inbox that is gone fails, and may be forgotten", async () => {
  await shop().pool.query(EVENTS_OUTBOX);
  await stopAfter(start());
  await shop().pool.query("DROP TABLE processed_events");
  const runtime = start();
  const key = "processed_events:oldestUnprocessed";
  expect((await checkHealth({ runtime })).checks?.[key]).toMatchObject([{ status: "fail", observedValue: null }]);
  const ctx = contextOf(runtime, ADMIN);
  await forgetTable({ ctx, kind: "inbox", name: "processed_events", request: { reason: "moved to kafka" } });
  expect((await listInboxes({ runtime })).inboxes).toEqual([]);
  expect((await checkHealth({ runtime })).checks?.[key]).toBeUndefined();
});

describe("names", () => {
  const twoStores = async () => {
    await shop().pool.query(OUTBOX_EVENTS);
    await billing().pool.query(OUTBOX_EVENTS);
    await billing().pool.query(
      "INSERT INTO outbox_events (event_type, payload, occurred_at) SELECT 'a', '{}', now() - interval '3 hours' FROM generate_series(1, 7)",
    );
  };

  test("are unique over all stores, and each has its own figures", async () => {
    await twoStores();
    const runtime = start();
    expect(await namesOf(runtime)).toEqual(["billing-outbox_events", "outbox_events"]);
    const own = await takeSnapshot({ runtime, outbox: "outbox_events" });
    const other = await takeSnapshot({ runtime, outbox: "billing-outbox_events" });
    expect([own.counts.pending.value, other.counts.pending.value]).toEqual([0, 7]);
    const health = await checkHealth({ runtime });
    expect(health.checks?.["billing-outbox_events:oldestPending"]?.[0]?.status).toBe("fail");
    expect(health.checks?.["outbox_events:oldestPending"]?.[0]?.status).toBe("pass");
    const { text } = await renderMetrics({ runtime });
    expect(text).toContain('outbox_messages{outbox="billing-outbox_events",state="pending"} 7');
    expect(text).toContain('outbox_messages{outbox="outbox_events",state="pending"} 0');
  });

  test.each([
    ["remembered", {}],
    ["in memory alone", MEMORY_ALONE],
  ])("do not depend on which store answers first, %s", async (_, extra) => {
    await twoStores();
    const { url, proxy } = await through(shop().url);
    await proxy.refuse();
    const stores = {
      shop: { kind: "postgres" as const, url },
      billing: { kind: "postgres" as const, url: billing().url },
    };
    const runtime = start({ ...extra, stores });
    expect(await namesOf(runtime)).toEqual(["billing-outbox_events"]);
    await proxy.resume();
    await waitFor(async () => (await namesOf(runtime)).length === 2, { message: "the first store is read" });
    expect(await namesOf(runtime)).toEqual(["billing-outbox_events", "outbox_events"]);
  });

  test("stay when the configuration's order changes and when a store is added in front", async () => {
    await shop().pool.query(OUTBOX_EVENTS);
    await stopAfter(start({ stores: { shop: { kind: "postgres", url: shop().url } } }));
    await billing().pool.query(OUTBOX_EVENTS);
    const runtime = start({
      stores: { billing: { kind: "postgres", url: billing().url }, shop: { kind: "postgres", url: shop().url } },
    });
    const placed = (await runtime.tables()).outboxes.map(({ name, store }) => [store.name, name]);
    expect(placed.sort()).toEqual([
      ["billing", "billing-outbox_events"],
      ["shop", "outbox_events"],
    ]);
  });

  test("are not taken by a newcomer while their table is gone", async () => {
    await shop().pool.query("CREATE SCHEMA b");
    await shop().pool.query(OUTBOX_EVENTS.replace("TABLE ", "TABLE b."));
    await stopAfter(start());
    await shop().pool.query("DROP SCHEMA b CASCADE");
    await shop().pool.query(OUTBOX_EVENTS);
    const { outboxes } = await listOutboxes({ runtime: start() });
    const listed = outboxes.map(({ name, table, figures }) => [name, table, figures !== null]);
    expect(listed.sort()).toEqual([
      ["outbox_events", "b.outbox_events", false],
      ["shop-outbox_events", "public.outbox_events", true],
    ]);
  });

  test("that are configured win, and a store may have the name of an outbox", async () => {
    await twoStores();
    const runtime = start({ outboxes: { outbox_events: { store: "billing", table: "outbox_events" } } });
    const placed = (await runtime.tables()).outboxes.map(({ name, store }) => [store.name, name]);
    expect(placed.sort()).toEqual([
      ["billing", "outbox_events"],
      ["shop", "shop-outbox_events"],
    ]);
    const { url, proxy } = await through(shop().url);
    await proxy.refuse();
    const alike = start({
      stores: { shop: { kind: "postgres", url } },
      outboxes: { shop: { store: "shop", table: "x" } },
    });
    expect((await checkHealth({ runtime: alike })).checks?.["shop:database"]).toHaveLength(2);
  });
});

async function stopAfter(runtime: Runtime) {
  await runtime.tables();
  await stop(runtime);
}

describe("forgetting", () => {
  const request = { reason: "the service is gone" };
  const forget = (runtime: Runtime, name = "outbox_events", actor = ADMIN) =>
    forgetTable({ ctx: contextOf(runtime, actor), kind: "outbox", name, request });
  const audit = async () =>
    (await side().pool.query("SELECT action, outbox, actor, reason FROM outbox_console_app.audit")).rows;

  beforeEach(async () => {
    await shop().pool.query(OUTBOX_EVENTS);
    await stopAfter(start());
  });

  test("takes what is gone off everything, for good, and is audited", async () => {
    await shop().pool.query("DROP TABLE outbox_events");
    const runtime = start();
    const another = start();
    await another.tables();
    await forget(runtime);
    expect((await listOutboxes({ runtime })).outboxes).toEqual([]);
    expect((await checkHealth({ runtime })).status).toBe("warn");
    expect((await renderMetrics({ runtime })).text).not.toContain("outbox_events");
    expect(await audit()).toEqual([
      { action: "outbox.forget", outbox: "outbox_events", actor: "ada", reason: request.reason },
    ]);
    const page = await listAudit({ runtime, query: { limit: 50 } });
    expect(page.entries).toMatchObject([
      { id: expect.stringMatching(/^c\d+$/), action: "outbox.forget", outbox: "outbox_events" },
    ]);
    await expect(forget(runtime)).rejects.toMatchObject({ code: "not_found" });
    // Another console that still remembers it does not bring it back.
    await another.tables();
    await another.known.settle();
    expect((await side().pool.query("SELECT 1 FROM outbox_console_app.known_table")).rows).toEqual([]);
    expect((await listOutboxes({ runtime: start() })).outboxes).toEqual([]);
  });

  test("what comes back is discovered anew", async () => {
    await shop().pool.query("DROP TABLE outbox_events");
    await forget(start());
    await shop().pool.query(OUTBOX_EVENTS);
    expect(await namesOf(start())).toEqual(["outbox_events"]);
  });

  test("is refused to an operator", async () => {
    await shop().pool.query("DROP TABLE outbox_events");
    const runtime = start();
    await expect(forget(runtime, "outbox_events", OPERATOR)).rejects.toMatchObject({ code: "forbidden" });
    expect(await summaryOf(runtime, "outbox_events")).toBeDefined();
    expect(await audit()).toEqual([]);
  });

  test("is refused for what is there, configured, unknown, or cannot be told", async () => {
    await expect(forget(start())).rejects.toMatchObject({ code: "wrong_state", message: /only a missing/ });
    const configured = start({ outboxes: { orders: { store: "shop", table: "nope" } } });
    await expect(forget(configured, "orders")).rejects.toMatchObject({ code: "wrong_state", message: /is configured/ });
    await expect(forget(start(), "constructor")).rejects.toMatchObject({ code: "not_found" });
    const { url, proxy } = await through(shop().url);
    await proxy.refuse();
    const silent = start({ stores: { shop: { kind: "postgres", url } } });
    await expect(forget(silent)).rejects.toMatchObject({ code: "wrong_state", message: /It is unknown whether/ });
    expect(await audit()).toEqual([]);
  });

  test("is refused where it could not be audited", async () => {
    const runtime = start({ ...MEMORY_ALONE, ...READ_OFTEN });
    await runtime.tables();
    await shop().pool.query("DROP TABLE outbox_events");
    await waitFor(async () => (await summaryOf(runtime, "outbox_events"))?.absent?.forgettable, { message: "is gone" });
    await expect(forget(runtime)).rejects.toMatchObject({ code: "wrong_state", message: /no console database/ });
  });
});

test("the audits of store and console are one list, page by page", async () => {
  const runtime = start({
    stores: { shop: { kind: "postgres", url: side().url } },
    outboxes: { orders: { store: "shop", table: "public.outbox_events", mode: "operate" } },
  });
  await side().pool.query("DROP TABLE IF EXISTS public.outbox_events");
  await side().pool.query(OUTBOX_EVENTS);
  const at = (minutes: number) => `now() - interval '${minutes} minutes'`;
  for (const minutes of [9, 7, 5, 3])
    await side().pool.query(
      `INSERT INTO outbox_console.audit (at, actor, role, action, outbox, outcome) VALUES (${at(minutes)}, 'a', 'admin', 'm${minutes}', 'orders', 'done')`,
    );
  for (const minutes of [8, 4, 2])
    await side().pool.query(
      `INSERT INTO outbox_console_app.audit (at, actor, role, action, outbox, outcome) VALUES (${at(minutes)}, 'a', 'admin', 'm${minutes}', 'gone', 'done')`,
    );
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listAudit({ runtime, query: { outbox: "orders", limit: 2, cursor } });
    seen.push(...page.entries.map((entry) => entry.action));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(seen).toEqual(["m2", "m3", "m4", "m5", "m7", "m8", "m9"]);
});
