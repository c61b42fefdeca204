import { beforeEach, describe, expect, test } from "vitest";
import { EVENTS_OUTBOX, OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { ADMIN, contextOf, OPERATOR } from "#tests/factories/runtime.ts";
import { waitFor } from "#tests/wait-for.ts";
import { listAudit } from "../audit/list-audit.ts";
import { checkHealth } from "../health/check-health.ts";
import { renderMetrics } from "../health/render-metrics.ts";
import { listInboxes } from "../inboxes/list-inboxes.ts";
import { listOutboxes } from "../outboxes/list-outboxes.ts";
import type { Runtime } from "../runtime.ts";
import { forgetTable } from "./forget-table.ts";
import { MEMORY_ALONE, namesOf, READ_OFTEN, rememberedStores, summaryOf } from "./known-tables.fixture.ts";

const { shop, side, start, stopAfter, through } = rememberedStores();

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
