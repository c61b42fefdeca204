import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deployQuerySchema, newDeploySchema } from "#contracts/watch/deploys.ts";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { contextOf, OPERATOR, openOperatedRuntime, VIEWER } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { listAudit } from "../audit/list-audit.ts";
import { readSeries } from "../outboxes/read-series.ts";
import type { Runtime } from "../runtime.ts";
import { listDeploys, recordDeploy } from "./deploys.ts";

const database = testDatabase("migrated");
let runtime: Runtime;

beforeAll(async () => {
  await database().pool.query(OUTBOX_EVENTS);
  runtime = openOperatedRuntime(database().url, "outbox_events");
});
afterAll(() => runtime.close());
beforeEach(() => database().pool.query("TRUNCATE outbox_console_app.deploy, outbox_console_app.audit"));

const report = (deploy: object, key: string | null = null, actor = OPERATOR) =>
  recordDeploy({
    ctx: contextOf(runtime, actor),
    deploy: newDeploySchema.parse({ service: "pricing", version: "412", ...deploy }),
    idempotencyKey: key,
  });
const listed = async (query: object = {}) =>
  (await listDeploys({ runtime, query: deployQuerySchema.parse(query) })).deploys;
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe("a deploy", () => {
  test("is recorded once under its key, and audited once", async () => {
    const first = await report({ link: "https://ci.example.com/412" }, "build-412");
    expect(await report({ link: "https://ci.example.com/412" }, "build-412")).toEqual(first);
    await expect(report({ version: "413" }, "build-412")).rejects.toMatchObject({ code: "conflict" });
    expect(await listed()).toEqual([first]);
    const { entries } = await listAudit({ runtime, query: { limit: 10 } });
    expect(entries.map(({ action, detail }) => `${action} ${detail}`)).toEqual(["deploy.report pricing 412"]);
  });

  test("of one outbox is not among those of another, one of no outbox is among all", async () => {
    await report({ outbox: "orders", at: minutesAgo(9) });
    await report({ service: "gateway", at: minutesAgo(3) });
    const services = async (outbox: string) => (await listed({ outbox })).map(({ service }) => service);
    expect(await services("orders")).toEqual(["gateway", "pricing"]);
    expect(await services("shipments")).toEqual(["gateway"]);
    expect(await listed({ from: minutesAgo(5) })).toHaveLength(1);
  });

  test("is a mark in the charts of its outbox", async () => {
    await report({ at: minutesAgo(9) });
    const { marks } = await readSeries({ runtime, outbox: "orders" });
    expect(marks).toMatchObject([{ label: "deploy pricing 412", kind: "deploy" }]);
  });

  test("by a viewer, of an unknown outbox, or of an impossible time is refused", async () => {
    await expect(report({}, null, VIEWER)).rejects.toMatchObject({ code: "forbidden" });
    await expect(report({ outbox: "nothing" })).rejects.toMatchObject({ code: "not_found" });
    await expect(report({ at: minutesAgo(-60) })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(report({ at: minutesAgo(40 * 1440) })).rejects.toMatchObject({ code: "invalid_input" });
    expect(newDeploySchema.safeParse({ service: "a", version: "1", link: "javascript:alert(1)" }).success).toBe(false);
    expect(await listed()).toEqual([]);
  });

  test("is kept for 90 days, and the newest of too many", async () => {
    for (const minutes of [3, 2, 1]) await report({ version: String(minutes), at: minutesAgo(minutes) });
    await database().pool.query(
      "UPDATE outbox_console_app.deploy SET at = at - interval '91 days' WHERE version = '3'",
    );
    expect(await runtime.records?.deleteOldDeploys(90, 5_000)).toBe(1);
    expect(await runtime.records?.deleteOldDeploys(90, 1)).toBe(1);
    expect((await listed()).map(({ version }) => version)).toEqual(["1"]);
    const at = minutesAgo(1);
    for (const version of ["a", "b", "c"]) await report({ version, at });
    await runtime.records?.deleteOldDeploys(90, 2);
    expect(await listed()).toHaveLength(2);
  });
});
