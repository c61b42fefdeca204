import { afterEach, beforeEach, expect, test } from "vitest";
import { createTutorialShop, eventItem, orderItem, type TutorialShop } from "../tutorial-shop.fixture.ts";

const BIG = "12345678901234567890123456789012345678";

let shop: TutorialShop;
beforeEach(async () => {
  shop = await createTutorialShop();
});
afterEach(() => shop.drop());

const list = (state: "all" | "pending" | "published") =>
  shop.open().outbox.read.list({ filter: { state }, limit: 100 });

test("only the items under the prefix are messages, and an absent flag means unpublished", async () => {
  const { published: _, ...unmarked } = eventItem();
  await shop.tables.put(shop.table, [eventItem(), eventItem({ published: true }), unmarked, orderItem("1")]);
  const { counts } = await shop.open().outbox.read.figures();
  expect(counts).toMatchObject({ pending: { value: 2, precision: "exact" }, published: { value: 1 } });
  expect((await list("all")).rows).toHaveLength(3);
});

test("an order of the same table is not found as a message, whatever key is asked for", async () => {
  const id = `~${Buffer.from(JSON.stringify(["ORDER#1", "order"])).toString("base64url")}`;
  await shop.tables.put(shop.table, [orderItem("1")]);
  expect(await shop.open().outbox.read.message(id)).toBeNull();
});

test("a payload of maps and numbers is shown with every digit", async () => {
  const payload = { M: { id: { N: BIG }, price: { N: "1.5" }, tags: { L: [{ S: "ä" }, { NULL: true as const }] } } };
  await shop.tables.put(shop.table, [eventItem({ attributes: { payload } })]);
  const [row] = (await list("all")).rows;
  const message = await shop.open().outbox.read.message(row?.id ?? "");
  const shown = message?.content.payload;
  expect(shown?.format).toBe("json");
  expect(shown?.text).toContain(`"id":${BIG}`);
  expect(shown?.text).toContain('"tags":["ä",null]');
  expect(message?.statement).toContain(`aws dynamodb get-item --consistent-read --table-name ${shop.table}`);
});

test("the claim check and the time to live are shown, with what DynamoDB makes of it", async () => {
  const past = String(Math.floor(Date.now() / 1000) - 3600);
  const attributes = { claim_check: { S: "s3://bucket/key" }, ttl: { N: past } };
  await shop.tables.put(shop.table, [eventItem({ published: true, attributes })]);
  const [row] = (await list("all")).rows;
  expect(row?.state, "it is there until DynamoDB deletes it").toBe("published");
  const shown = (await shop.open().outbox.read.message(row?.id ?? ""))?.content.columns;
  expect(shown).toContainEqual({ name: "claim_check", value: "s3://bucket/key" });
  expect(shown).toContainEqual({ name: "ttl", value: past });
  expect(shown).toContainEqual({
    name: "ttl (time to live)",
    value: expect.stringMatching(
      /^DynamoDB deletes the item at its own time after .+ ago\); that may be days later\.$/,
    ),
  });
});

test("a table that is gone is missing in the port's words, and leaves the catalog", async () => {
  const { store, outbox } = shop.open({ family: { table: `${shop.tables.prefix}gone` } });
  await expect(outbox.read.figures()).rejects.toMatchObject({ trouble: "missing" });
  expect((await store.catalog()).tables).toEqual([]);
});

test("a server that is not there is unreachable", async () => {
  const { openDynamodbStore } = await import("../open-dynamodb-store.ts");
  const store = openDynamodbStore({
    name: "shop",
    url: `dynamodb://eu-central-1?endpoint=${encodeURIComponent("http://127.0.0.1:9")}`,
    applicationName: "test",
    families: { orders: shop.family },
  });
  await expect(store.ping()).rejects.toMatchObject({ trouble: "unreachable", code: "unavailable" });
  await store.close();
});
