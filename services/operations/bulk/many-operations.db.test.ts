import { expect, test } from "vitest";
import { bulkOutbox } from "./bulk-outbox.fixture.ts";
import { BULK_LEASE_MS, BulkRun } from "./bulk-run.ts";
import { ActingPlaces } from "./pace/acting-places.ts";

const outbox = bulkOutbox();

test("operations that only wait for a relay keep no other from its work", async () => {
  const types = Array.from({ length: 6 }, (_, n) => `order.kind-${n}`);
  for (const type of types) await outbox.put(30, { type });
  await outbox.work();
  const dead = (type: string | undefined) => ({ filter: { state: "dead" as const, eventType: type }, confirm: 30 });
  const waiting: string[] = [];
  for (const type of types.slice(1)) waiting.push((await outbox.start({ action: "retry", ...dead(type) })).id);
  const released = async (id: string) => (await outbox.get(id)).bulk?.counts.released ?? 0;
  for (const id of waiting) await expect.poll(() => released(id)).toBeGreaterThan(0);
  const { id } = await outbox.start({ action: "archive", ...dead(types[0]) });
  const { bulk } = await outbox.until(id, "finished");
  expect(bulk?.counts).toMatchObject({ selected: 30, done: 30 });
  for (const one of waiting) expect((await outbox.get(one)).bulk).toMatchObject({ state: "running", runner: {} });
  for (const one of waiting) await outbox.until(one, "finished", "publish");
});

test("an operation in line for a place says so, does nothing, and goes on once another gives its place back", async () => {
  await outbox.put(30);
  const runtime = outbox.runtime();
  await runtime.records?.takeMonitorLease("test", 60_000);
  const { id } = await outbox.start({ action: "archive", filter: { state: "dead" }, confirm: 30 });
  const bulk = (await runtime.outbox("orders")).store.records.bulk ?? expect.unreachable();
  const row = (await bulk.take("test", BULK_LEASE_MS)) ?? expect.unreachable();
  const places = new ActingPlaces(1);
  places.ask("another");
  const run = new BulkRun({ runtime, bulk, row, places }).run(new AbortController().signal);
  await expect.poll(async () => (await outbox.get(id)).bulk?.note).toMatch(/^Waits for its turn/);
  expect((await outbox.get(id)).bulk).toMatchObject({ state: "selecting", counts: { selected: 0 } });
  places.leave("another");
  await run;
  expect((await outbox.get(id)).bulk).toMatchObject({ state: "finished", note: null, counts: { done: 30 } });
  expect(places.ask("another")).toBe(true);
});
