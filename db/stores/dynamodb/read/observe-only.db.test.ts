import { afterEach, beforeEach, expect, test } from "vitest";
import { type HttpCutter, startHttpCutter } from "#tests/dynamodb/http-cutter.ts";
import { openDynamodbStore } from "../open-dynamodb-store.ts";
import { createTutorialShop, eventItem, type TutorialShop } from "../tutorial-shop.fixture.ts";

const LIMITS = {
  overdueSeconds: 60,
  claimGraceSeconds: 0,
  lockHeldSeconds: 0,
  oldTransactionSeconds: 0,
  scheduledFarSeconds: 60,
  clockSkewSeconds: 60,
  relay: null,
};
const READS = ["BatchGetItem", "DescribeTable", "DescribeTimeToLive", "GetItem", "ListTables", "Query", "Scan"];

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

test("an outbox that is only observed is asked nothing but reads, and its own table may be missing", async () => {
  await shop.tables.put(shop.table, [eventItem(), eventItem({ published: true })]);
  const store = openDynamodbStore({
    name: "shop",
    url: `dynamodb://eu-central-1?endpoint=${encodeURIComponent(line.url)}`,
    applicationName: "test",
    families: { orders: shop.family },
    ownTable: `${shop.tables.prefix}own`,
  });
  const { ownSchema, accepted } = await store.catalog();
  expect([ownSchema, accepted.size]).toEqual(["missing", 0]);
  const ref = { name: "orders", mapping: shop.mapping, storeSide: false, maxAttempts: null, estimatedRows: -1 };
  const { read, watch, doctor, act } = store.outbox(ref);
  await store.ping();
  await read.figures();
  const { rows } = await read.list({ filter: { state: "all" }, limit: 10 });
  for (const { id } of rows) expect(await read.message(id)).not.toBeNull();
  await read.failures("text");
  await read.sample({});
  await read.judgeIndexes(null);
  expect((await watch.facts(LIMITS)).unread).toEqual([]);
  await doctor({ mode: "observe" });
  expect(await act.whyRowsStay()).toBeNull();
  await store.close();
  expect(line.operations.length).toBeGreaterThan(5);
  expect(line.operations.filter((operation) => !READS.includes(operation))).toEqual([]);
});
