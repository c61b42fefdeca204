import { describe, expect, test } from "vitest";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { waitFor } from "#tests/wait-for.ts";
import { checkHealth } from "../health/check-health.ts";
import { renderMetrics } from "../health/render-metrics.ts";
import { listOutboxes } from "../outboxes/list-outboxes.ts";
import { takeSnapshot } from "../outboxes/take-snapshot.ts";
import { MEMORY_ALONE, namesOf, rememberedStores } from "./known-tables.fixture.ts";

const { shop, billing, start, stopAfter, through } = rememberedStores();

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

  test("an outbox that was watched goes on, though by its name it has what left another one", async () => {
    await shop().pool.query(OUTBOX_EVENTS.replace("outbox_events", "orders_outbox_dead"));
    await stopAfter(start());
    await shop().pool.query(OUTBOX_EVENTS.replace("outbox_events", "orders_outbox"));
    const runtime = start();
    expect((await namesOf(runtime)).toSorted()).toEqual(["orders_outbox", "orders_outbox_dead"]);
    expect((await checkHealth({ runtime })).checks).toHaveProperty("orders_outbox_dead:oldestPending");
  });
});
