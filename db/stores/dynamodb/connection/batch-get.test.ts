import type { BatchGetItemCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import type { Item } from "../items/item.ts";
import { batchGet } from "./batch-get.ts";

const KEYS = Array.from({ length: 250 }, (_, n): Item => ({ pk: { N: String(n) } }));

/** Answers with the first `most[n]` of the keys of the nth request, and all of any later one. */
function throttling(most: readonly number[]) {
  const asked: number[] = [];
  const send = async ({ input }: BatchGetItemCommand) => {
    const keys = input.RequestItems?.orders?.Keys ?? [];
    const given = most[asked.length] ?? keys.length;
    asked.push(keys.length);
    const left = keys.slice(given);
    return {
      Responses: { orders: keys.slice(0, given) },
      UnprocessedKeys: left.length > 0 ? { orders: { Keys: left } } : {},
      ConsumedCapacity: [{ CapacityUnits: given }],
    };
  };
  return { asked, client: { send } as unknown as DynamoDBClient };
}

test("what a throttled table leaves out is asked for again, until all of it has come", async () => {
  const { client, asked } = throttling([100, 0, 30, 0, 70]);
  let units = 0;
  const onCost = (more: number) => {
    units += more;
  };
  expect(await batchGet({ client }, { table: "orders", keys: KEYS, onCost, firstWaitMs: 1 })).toEqual(KEYS);
  expect(asked).toEqual([100, 100, 100, 70, 70, 50]);
  expect(units).toBe(250);
});

test("a table that gives nothing is asked a limited number of times", async () => {
  const { client, asked } = throttling(Array.from({ length: 1000 }, () => 0));
  await expect(batchGet({ client }, { table: "orders", keys: KEYS, firstWaitMs: 1 })).rejects.toMatchObject({
    name: "ThrottlingException",
  });
  expect(asked).toHaveLength(7);
});
