import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ADA, REASON } from "../../conformance/operator-desk.fixture.ts";
import type { OutboxStore, Store } from "../../port/store.ts";
import { nowText } from "../items/instant.ts";
import { PARTITIONS, toItem } from "../own-table/own-table.ts";
import { createTutorialShop, eventItem, type TutorialShop } from "../tutorial-shop.fixture.ts";

/** More than one reading takes of a kind. */
const MANY = 10_100;

let shop: TutorialShop;
let store: Store;
let outbox: OutboxStore;
beforeEach(async () => {
  shop = await createTutorialShop();
  ({ store, outbox } = shop.open({ storeSide: true }));
  await store.migrate();
});
afterEach(() => shop.drop());

/** Records of restores whose ids come before any of the shop's. */
const restoreMany = async (at: string) => {
  const pk = PARTITIONS.restored("orders");
  const sk = (n: number) => `!${String(n).padStart(6, "0")}`;
  const records = Array.from({ length: MANY }, (_, n) => toItem({ pk, sk: sk(n), doc: { at }, v: "1" }));
  await shop.tables.put(`${shop.tables.prefix}own`, records);
};
const listed = async () => (await outbox.read.list({ filter: { state: "all" }, limit: 1 })).rows[0];
const act = (action: "retry" | "dead-letter", { id, version }: { id: string; version: string }) =>
  outbox.act.perform({ action, id, version, actor: ADA, reason: REASON, operationId: randomUUID(), dryRun: false }, 0);

test("a message can be acted on from the list, however many messages were retried before it", async () => {
  await shop.tables.put(shop.table, [eventItem()]);
  const first = await listed();
  if (!first) throw new Error("Nothing is listed.");
  await act("dead-letter", first);
  await act("retry", { ...first, version: (await outbox.read.message(first.id))?.row.version ?? "" });
  await restoreMany(nowText(Date.now()));
  const { outbox: fresh } = shop.open({ storeSide: true });
  const [row] = (await fresh.read.list({ filter: { state: "pending" }, limit: 10 })).rows;
  expect(row?.version).toBe((await outbox.read.message(first.id))?.row.version);
  await act("dead-letter", row ?? first);
  expect((await outbox.read.message(first.id))?.row.state).toBe("dead");
});

test("an old record of a restore is deleted behind any number of young ones", async () => {
  await store.records.keepFirstMapping({
    outbox: "orders",
    fingerprint: { table: shop.table, columns: [] } as never,
    by: "test",
  });
  await restoreMany(nowText(Date.now()));
  const key = { pk: PARTITIONS.restored("orders"), sk: "~old" };
  const old = toItem({ ...key, doc: { at: "2020-01-01T00:00:00.000000Z" }, v: "1" });
  await shop.tables.put(`${shop.tables.prefix}own`, [old]);
  expect(await store.records.deleteOldRestored(30, 10)).toBe(1);
  expect(await store.records.deleteOldRestored(30, 10)).toBe(0);
});
