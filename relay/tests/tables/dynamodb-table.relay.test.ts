import { TransactWriteItemsCommand } from "@aws-sdk/client-dynamodb";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createDynamodbOutbox } from "../../../client/dynamodb/create-dynamodb-outbox.ts";
import { contractEvents, contractPayload } from "../../../client/testing/contract-events.ts";
import { type DynamodbHarness, openDynamodbHarness } from "../../testing/dynamodb-harness.fixture.ts";
import { distinct, inversions } from "../../testing/outbox.fixture.ts";

const A_DAY_S = 86_400;

describe("a relay over a DynamoDB table", () => {
  let harness: DynamodbHarness;
  beforeEach(async () => {
    harness = await openDynamodbHarness();
  });
  afterEach(() => harness.close());

  test("publishes what waits and what comes, in order, and marks it as the table's own programs do", async () => {
    await harness.insert({ count: 60, aggregates: 6 });
    await harness.start();
    await harness.waitUntilSent();
    await harness.insert({ count: 60, aggregates: 6, from: 10 });
    await harness.waitUntilSent();
    const deliveries = harness.deliveries();
    expect([deliveries.length, distinct(deliveries), inversions(deliveries)]).toEqual([120, 120, []]);
    const items = await harness.shop.tables.all(harness.shop.table);
    expect(items).toHaveLength(120);
    for (const item of items) {
      expect([item.published?.BOOL, item.unpublished]).toEqual([true, undefined]);
      const keptDays = (Number(item.ttl?.N) - Date.now() / 1000) / A_DAY_S;
      expect(keptDays).toBeGreaterThan(6.9);
      expect(keptDays).toBeLessThan(7.1);
    }
  });

  test("tries again what the receiver refused, and its aggregate waits behind it", async () => {
    let refusals = 0;
    harness.receiver.answerWith((request) => {
      const { aggregate, n } = JSON.parse(request.body.toString("utf8"));
      if (aggregate !== "a1" || n !== 0 || refusals === 2) return { status: 204 };
      refusals += 1;
      return { status: 500 };
    });
    await harness.insert({ count: 12, aggregates: 3 });
    await harness.start();
    await harness.waitUntilSent();
    const first = harness.deliveries().filter(({ aggregate }) => aggregate === "a1");
    expect(first.map(({ n }) => n)).toEqual([0, 0, 0, 1, 2, 3]);
    expect(distinct(harness.deliveries())).toBe(12);
  });

  test("consumers get the entity's id if an attribute has it, in place of the whole partition key", async () => {
    const { shop } = harness;
    const items = await createDynamodbOutbox(contractEvents, { table: shop.table, format: "client" }).items(
      "contract.checked",
      contractPayload("ord-1"),
    );
    await shop.tables.client.send(new TransactWriteItemsCommand({ TransactItems: items }));
    await harness.start([], (yaml) =>
      yaml.replace("aggregateId: PK, ", "").replace("event_type: text", "event_type: text, aggregate_id: text"),
    );
    await harness.waitUntilSent();
    expect(harness.receiver.requests.map(({ headers }) => headers["aggregate-id"])).toEqual(["ord-1"]);
  });

  test("a message that the receiver never takes is dead, and stays to be acted on", async () => {
    harness.receiver.answerWith((request) => ({
      status: JSON.parse(request.body.toString("utf8")).aggregate === "a1" ? 422 : 204,
    }));
    await harness.insert({ count: 4, aggregates: 2 });
    await harness.start();
    await harness.waitUntilSent();
    const { store } = await harness.runtime().outbox("orders");
    const { relays, leases } = await store.records.relays("orders");
    expect(relays).toMatchObject([{ state: "owner", failures: expect.any(Number) }]);
    expect(leases).toMatchObject([{ expired: false, partitions: expect.objectContaining({ length: 32 }) }]);
    const items = await harness.shop.tables.all(harness.shop.table);
    expect(items.map(({ PK }) => PK?.S)).toEqual(["OUTBOX#a0", "OUTBOX#a0"]);
  });
});
