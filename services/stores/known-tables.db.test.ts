import { beforeEach, describe, expect, test } from "vitest";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { waitFor } from "#tests/wait-for.ts";
import { checkHealth } from "../health/check-health.ts";
import { listOutboxes } from "../outboxes/list-outboxes.ts";
import { expectGone, MEMORY_ALONE, namesOf, READ_OFTEN, rememberedStores, summaryOf } from "./known-tables.fixture.ts";

const { shop, billing, side, start, stop, stopAfter, through } = rememberedStores();

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

  test("leaves nothing behind once it was renamed and has its name again", async () => {
    const runtime = start(READ_OFTEN);
    expect(await namesOf(runtime)).toEqual(["outbox_events"]);
    const shows = (name: string) =>
      waitFor(async () => (await namesOf(runtime)).includes(name), { message: `${name} is found` });
    await shop().pool.query("ALTER TABLE outbox_events RENAME TO outbox_moved");
    await shows("outbox_moved");
    await expectGone(runtime, "outbox_events", /is gone/);
    await shop().pool.query("ALTER TABLE outbox_moved RENAME TO outbox_events");
    await shows("outbox_events");
    await runtime.known.settle();
    expect((await listOutboxes({ runtime })).outboxes.map(({ name }) => name)).toEqual(["outbox_events"]);
    const { rows } = await side().pool.query("SELECT table_name FROM outbox_console_app.known_table");
    expect(rows).toEqual([{ table_name: "outbox_events" }]);
  });

  test("is known by its new name once the old one has been missing for long", async () => {
    await stopAfter(start());
    await shop().pool.query("ALTER TABLE outbox_events RENAME TO outbox_moved");
    await side().pool.query(
      "UPDATE outbox_console_app.known_table SET missing_since = clock_timestamp() - interval '11 minutes'",
    );
    await stopAfter(start());
    const { rows } = await side().pool.query("SELECT table_name FROM outbox_console_app.known_table ORDER BY 1");
    expect(rows.map(({ table_name }) => table_name)).toEqual(["outbox_events", "outbox_moved"]);
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
    await expectGone(
      gone,
      "orders",
      /not in store shop.*The outbox could still be used at 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC\./,
    );
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
