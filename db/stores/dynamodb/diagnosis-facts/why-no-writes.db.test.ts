import { afterEach, beforeEach, expect, test } from "vitest";
import { type HttpCutter, startHttpCutter } from "#tests/dynamodb/http-cutter.ts";
import { openRelayHand } from "../../conformance/open-outbox.fixture.ts";
import type { OutboxStore, Store } from "../../port/store.ts";
import { openDynamodbStore } from "../open-dynamodb-store.ts";
import { PARTITIONS, toItem } from "../own-table/own-table.ts";
import { createTutorialShop, type TutorialShop } from "../tutorial-shop.fixture.ts";

let shop: TutorialShop;
let line: HttpCutter;
let store: Store;
let outbox: OutboxStore;
let own: string;

beforeEach(async () => {
  shop = await createTutorialShop();
  line = await startHttpCutter(shop.tables.url);
  own = `${shop.tables.prefix}own`;
  store = openDynamodbStore({
    ...{ name: "shop", applicationName: "test", families: { orders: shop.family }, ownTable: own },
    url: `dynamodb://eu-central-1?endpoint=${encodeURIComponent(line.url)}`,
  });
  await store.migrate();
  outbox = store.outbox({
    ...{ name: "orders", mapping: shop.mapping, storeSide: true, maxAttempts: null, estimatedRows: -1 },
  });
});
afterEach(async () => {
  await store.close();
  await line.close();
  await shop.drop();
});

/** A relay that was heard once. */
const INSTANCE = { pk: { S: PARTITIONS.instances("orders") }, sk: { S: "relay-1" } };
async function hear(): Promise<void> {
  const doc = { id: "relay-1", outbox: "orders", heartbeatAt: "2026-01-01T00:00:00.000Z", state: "owner" };
  await shop.tables.put(own, [toItem({ pk: INSTANCE.pk.S, sk: INSTANCE.sk.S, doc, v: "1" })]);
}

test("a heartbeat is tried in the place of a silent relay, and changes nothing", async () => {
  const tried = () => line.operations.filter((operation) => operation === "PutItem").length;
  const triedBefore = tried();
  expect(await outbox.watch.noWrites()).toBeNull();
  expect(tried()).toBe(triedBefore);
  await hear();
  const before = await shop.tables.get(own, INSTANCE);
  expect(await outbox.watch.noWrites()).toBeNull();
  expect(tried()).toBe(triedBefore + 1);
  expect(await shop.tables.get(own, INSTANCE)).toEqual(before);
});

test.each([
  [
    "ProvisionedThroughputExceededException",
    /^DynamoDB throttles the table \w+ \(ProvisionedThroughputExceededException\)$/,
  ],
  ["AccessDeniedException", /^The AWS credentials do not allow this for the table \w+ \(AccessDeniedException\)$/],
])("says why it is refused: %s", async (name, reason) => {
  await hear();
  line.refuse("PutItem", name);
  const refused = { reason: expect.stringMatching(reason), tried: true, leased: false, everywhere: false };
  expect(await outbox.watch.noWrites()).toEqual(refused);
  const hand = openRelayHand(outbox, "relay-1");
  await hand.acquire();
  expect(await outbox.watch.noWrites()).toEqual({ ...refused, leased: true });
  await hand.table.close();
  line.refuse("PutItem", null);
  expect(await outbox.watch.noWrites()).toBeNull();
});
