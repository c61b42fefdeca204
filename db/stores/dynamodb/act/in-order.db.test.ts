import { afterEach, beforeEach, expect, test } from "vitest";
import { type HttpCutter, startHttpCutter } from "#tests/dynamodb/http-cutter.ts";
import { openDynamodbStore } from "../open-dynamodb-store.ts";
import { createTutorialShop, eventItem, type TutorialShop } from "../tutorial-shop.fixture.ts";

let shop: TutorialShop;
let line: HttpCutter;
beforeEach(async () => {
  shop = await createTutorialShop();
  line = await startHttpCutter(shop.tables.url);
});
afterEach(async () => {
  await line.close();
  await shop.drop();
});

test("the order of many messages is found with one read each, and one of the relays' claims", async () => {
  await shop.open({ storeSide: true }).store.migrate();
  const items = Array.from({ length: 25 }, () => eventItem());
  await shop.tables.put(shop.table, items);
  const { outbox } = shop.open({ storeSide: true });
  const { rows } = await outbox.read.list({ filter: { state: "unsent" }, limit: 100 });
  const store = openDynamodbStore({
    name: "shop",
    url: `dynamodb://eu-central-1?endpoint=${encodeURIComponent(line.url)}`,
    applicationName: "test",
    families: { orders: shop.family },
    ownTable: `${shop.tables.prefix}own`,
    readUnitsPerMinute: 1_000_000,
  });
  const { mapping } = shop;
  const { act } = store.outbox({ name: "orders", mapping, storeSide: true, maxAttempts: null, estimatedRows: -1 });
  const ids = rows.map(({ id }) => id);
  expect(await act.inOrder(ids.toReversed())).toEqual(ids);
  const times = (name: string) => line.operations.filter((operation) => operation === name).length;
  expect([times("TransactGetItems"), times("Query")]).toEqual([25, 1]);
  await store.close();
});
