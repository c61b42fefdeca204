import { TransactWriteItemsCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTutorialShop, type TutorialShop } from "../../db/stores/dynamodb/tutorial-shop.fixture.ts";
import { defineEvents } from "../events/define-events.ts";
import { contractEvents, contractPayload } from "../testing/contract-events.ts";
import { createDynamodbOutbox } from "./create-dynamodb-outbox.ts";

let shop: TutorialShop;
beforeAll(async () => {
  shop = await createTutorialShop();
});
afterAll(() => shop?.drop());

const outbox = (format: "client" | "document" = "client") =>
  createDynamodbOutbox(contractEvents, { table: shop.table, format });

test("an event is written with the business item or not at all, and waits in the console", async () => {
  const payload = contractPayload("ord-1", "1.10 and é");
  const order = { Put: { TableName: shop.table, Item: { PK: { S: "ORDER#1" }, SK: { S: "order" } } } };
  const write = async (id: string) => {
    const event = await outbox().items("contract.checked", payload, { id, headers: { source: "csv" } });
    await shop.tables.client.send(new TransactWriteItemsCommand({ TransactItems: [order, ...event] }));
  };
  await write("e-1");
  await expect(write("e-1")).rejects.toThrow(/cancelled/i);
  const { outbox: console } = shop.open();
  const { rows } = await console.read.list({ filter: { state: "pending" }, limit: 10 });
  expect(rows).toMatchObject([
    { eventType: "contract.checked", aggregateId: "OUTBOX#contract#ord-1", state: "pending" },
  ]);
  const [item] = (await shop.tables.all(shop.table)).filter(({ SK }) => SK?.S === "e-1");
  expect(item?.aggregate_id?.S, "the entity's id, without the family's prefix").toBe("ord-1");
  expect(JSON.parse(item?.payload?.S ?? "")).toEqual(payload);
  expect(JSON.parse(item?.headers?.S ?? "")).toEqual({ source: "csv", "event-version": "3" });
});

test("items for lib-dynamodb have plain values", async () => {
  const [item] = await outbox("document").items("contract.checked", contractPayload("ord-2"));
  expect(item?.Put.Item).toMatchObject({ PK: "OUTBOX#contract#ord-2", published: false, unpublished: "yes" });
});

test.each([{ delay: "10m" }, { topic: "orders" }])("the option %o, which no item has, is refused", async (options) => {
  const items = outbox().items("contract.checked", contractPayload("ord-3"), options as object);
  await expect(items).rejects.toThrow(/needs a column for the role/);
});

test("an aggregate's type with the character that divides the partition key is refused", () => {
  const { schema } = contractEvents.definitions["contract.checked"];
  const events = defineEvents({ "order.placed": { version: 1, aggregate: "shop#order", schema } });
  expect(() => createDynamodbOutbox(events, { table: shop.table })).toThrow(/"shop#order".*order\.placed/);
});

test("a payload that its schema refuses gives no items", async () => {
  await expect(outbox().items("contract.checked", { key: 7 } as never)).rejects.toThrow(/does not fit/);
});
