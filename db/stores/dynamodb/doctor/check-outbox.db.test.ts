import { afterEach, beforeEach, expect, test } from "vitest";
import type { MappedColumn, OutboxMapping } from "../../port/mapping.ts";
import { createTutorialShop, eventItem, type TutorialShop } from "../tutorial-shop.fixture.ts";

let shop: TutorialShop;
beforeEach(async () => {
  shop = await createTutorialShop();
});
afterEach(() => shop.drop());

test("milliseconds that are declared as seconds are reported, and shown as no time", async () => {
  const createdAt: MappedColumn = {
    ...{ name: "at", type: "seconds", nullable: true, from: "config" },
    time: { kind: "epoch", unit: "s" },
  };
  const mapping: OutboxMapping = { ...shop.mapping, columns: { ...shop.mapping.columns, createdAt } };
  const { store } = shop.open({ family: { attributes: { ...shop.family.attributes, at: "seconds" } } });
  const outbox = store.outbox({ name: "orders", mapping, storeSide: false, maxAttempts: null, estimatedRows: -1 });
  await shop.tables.put(shop.table, [eventItem({ attributes: { at: { N: String(Date.now()) } } })]);
  const { rows } = await outbox.read.list({ filter: { state: "pending" }, limit: 10 });
  expect(rows).toMatchObject([{ createdAt: null, ageSeconds: null }]);
  expect(await outbox.doctor({ mode: "observe" })).toContainEqual({
    level: "bad",
    text: expect.stringContaining("at of 1 item is beyond the year 9999"),
    fix: expect.stringContaining("families.orders.attributes"),
  });
});

test("an index of the status has no item without one, so that such an item cannot be what waits", async () => {
  const status: MappedColumn = { name: "unpublished", type: "text", nullable: true, from: "config" };
  const lists = { pending: [null], inFlight: [], failed: [], published: ["S"], dead: ["E"], expired: [] };
  const mapping: OutboxMapping = { ...shop.mapping, lifecycle: { kind: "status", column: status, ...lists } };
  const { store } = shop.open();
  const outbox = store.outbox({ name: "orders", mapping, storeSide: false, maxAttempts: null, estimatedRows: -1 });
  const refusal = "The index unpublished has no item without unpublished";
  expect(await outbox.doctor({ mode: "observe" })).toContainEqual({
    level: "bad",
    text: expect.stringContaining(refusal),
  });
  const relay = outbox.openRelay({
    relayId: "r",
    sinkName: "s",
    maxAttempts: 3,
    ordering: "none",
    onDead: "pass",
    fields: {},
  });
  await expect(relay.acquireLease({ owner: "o", leaseMs: 1000, partitions: [0] } as never)).rejects.toThrow(refusal);
  await relay.close();
});
