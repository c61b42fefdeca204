import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { demoSchema } from "#contracts/demo.ts";
import { readProcessStart } from "#db/embedded/process-identity.mjs";
import { SAMPLE_PAYLOADS } from "#demo/testing/sample-payload.fixture.ts";
import { SHOPS, shopUnderTest } from "#demo/testing/shop-under-test.fixture.ts";
import { waitFor } from "#tests/wait-for.ts";
import { type DemoHandle, startDemo } from "./start-demo.ts";

/** MariaDB renews its list of transactions only when no session has asked for it for 100 ms. */
const SELDOM = { intervalMs: 270, timeoutMs: 120_000 };

describe.each(SHOPS)("the demo on %s", (kind) => {
  const folder = mkdtempSync(join(tmpdir(), "outbox-demo-test-"));
  const runFile = join(folder, "run.json");
  let demo: DemoHandle;

  const shop = shopUnderTest(kind, async ({ url }) => {
    writeFileSync(join(folder, "worker.hold"), "left behind by a demo that was killed");
    demo = await startDemo({
      databaseUrl: url,
      gatewayPort: 0,
      controlPort: 0,
      runFile,
      onTrouble: () => undefined,
    });
  });
  afterAll(async () => {
    await demo?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const control = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${demo.controlPort}${path}`, init);
  const post = (path: string, body: unknown) =>
    control(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

  async function setFault(fault: string, active: boolean) {
    const response = await post("/faults", { fault, active });
    expect(response.status).toBe(200);
    return demoSchema.parse(await response.json()).faults.find((one) => one.name === fault);
  }

  function deliver(eventType: keyof typeof SAMPLE_PAYLOADS, aggregateId: string): Promise<Response> {
    return fetch(`http://127.0.0.1:${demo.gatewayPort}/events`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        event_id: randomUUID(),
        "event-type": eventType,
        "aggregate-id": aggregateId,
      },
      body: SAMPLE_PAYLOADS[eventType],
    });
  }

  const count = async (table: "orders" | "events", where = "true", values: unknown[] = []) => {
    const { query, tables } = shop();
    const [row] = await query(`SELECT count(*) AS count FROM ${tables[table]} WHERE ${where}`, values);
    return Number(row?.count);
  };

  test("starts with every fault off, and writes orders", async () => {
    const state = demoSchema.parse(await (await control("/faults")).json());
    expect(state.faults.filter((fault) => fault.active)).toEqual([]);
    expect(existsSync(join(folder, "worker.hold"))).toBe(false);
    await waitFor(async () => (await count("orders")) > 3, {
      message: "orders are placed",
    });
  });

  test("gateway-down refuses connections until it is off", async () => {
    expect(await setFault("gateway-down", true)).toMatchObject({ active: true, since: expect.any(String) });
    await expect(deliver("order.placed", "ord-1")).rejects.toThrow();
    expect(await setFault("gateway-down", false)).toMatchObject({ active: false, since: null });
    expect((await deliver("order.placed", "ord-1")).status).toBe(202);
  });

  test("reject-type rejects invoices permanently and nothing else", async () => {
    await setFault("reject-type", true);
    const refused = await deliver("invoice.rendered", "inv-1");
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain("schema version 3 is not known here");
    expect((await deliver("order.placed", "ord-1")).status).toBe(202);
    await setFault("reject-type", false);
    expect((await deliver("invoice.rendered", "inv-1")).status).toBe(202);
  });

  test("poison-aggregate fails one busy order, which keeps getting events", async () => {
    const id = (await shop().database.transaction((db) => db.findStandingOrder())) ?? "";
    await setFault("poison-aggregate", true);
    const failed = await deliver("order.shipped", id);
    expect(failed.status).toBe(500);
    expect(await failed.text()).toContain("no FX rate for XBT");
    expect((await deliver("order.shipped", "ord-2")).status).toBe(202);
    await waitFor(async () => (await count("events", "aggregate_id = ?", [id])) >= 2, {
      message: "events of the poisoned order wait behind each other",
    });
    await setFault("poison-aggregate", false);
    expect((await deliver("order.shipped", id)).status).toBe(202);
  });

  test("lock-rows holds waiting rows in a session named billing-report", async () => {
    const { query, tables, countReports } = shop();
    const waiting = `SELECT id FROM ${tables.events} WHERE published_at IS NULL`;
    const ids = async (sql: string) => (await query(sql)).map(({ id }) => id);
    const locked = async () => {
      const all = await ids(waiting);
      const free = new Set(await ids(`${waiting} FOR UPDATE SKIP LOCKED`));
      return all.filter((id) => !free.has(id)).length;
    };
    await setFault("lock-rows", true);
    await waitFor(async () => (await locked()) >= 10, { message: "rows are locked" });
    await waitFor(async () => (await countReports()) === 1, { ...SELDOM, message: "by one session" });
    await setFault("lock-rows", false);
    await waitFor(async () => (await countReports()) === 0, { ...SELDOM, message: "the session is gone" });
  });

  test("relay-killed kills the worker that the run file names, and keeps it away while active", async () => {
    const worker = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1000)"], { stdio: "ignore" });
    await once(worker, "spawn");
    const pid = worker.pid ?? 0;
    const gone = once(worker, "exit");
    writeFileSync(runFile, JSON.stringify({ children: { worker: { pid, startedAt: readProcessStart(pid) } } }));
    await setFault("relay-killed", true);
    expect((await gone)[1]).toBe("SIGKILL");
    expect(existsSync(join(folder, "worker.hold"))).toBe(true);
    await setFault("relay-killed", false);
    expect(existsSync(join(folder, "worker.hold"))).toBe(false);
  });

  test("a process that has reused the worker's pid is left alone", async () => {
    const other = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1000)"], { stdio: "ignore" });
    await once(other, "spawn");
    writeFileSync(runFile, JSON.stringify({ children: { worker: { pid: other.pid, startedAt: "long ago" } } }));
    await setFault("relay-killed", true);
    await setFault("relay-killed", false);
    expect(other.exitCode).toBeNull();
    expect(other.signalCode).toBeNull();
    other.kill();
    await once(other, "exit");
  });

  test("burst writes 2,000 orders and switches itself off", async () => {
    const before = await count("orders");
    await setFault("burst", true);
    const isOver = async () => {
      const state = demoSchema.parse(await (await control("/faults")).json());
      return !state.faults.find((fault) => fault.name === "burst")?.active;
    };
    await waitFor(isOver, { timeoutMs: 25_000, message: "the burst is over" });
    expect((await count("orders")) - before).toBeGreaterThanOrEqual(2_000);
  });

  test("the rate can be set, and reset", async () => {
    expect((await post("/rate", { eventsPerSecond: 0 })).status).toBe(200);
    expect((await post("/rate", { eventsPerSecond: null })).status).toBe(200);
    expect((await post("/rate", { eventsPerSecond: -1 })).status).toBe(400);
  });

  test("the control API refuses other host names, forms, unknown faults and long bodies", async () => {
    const json = { "content-type": "application/json" };
    expect((await control("/faults", { method: "POST", body: "fault=burst" })).status).toBe(400);
    expect((await post("/faults", { fault: "meteor", active: true })).status).toBe(400);
    expect((await control("/faults", { method: "POST", headers: json, body: "x".repeat(10_000) })).status).toBe(400);
    expect((await control("/other")).status).toBe(404);
  });
});
