import { afterEach, beforeEach, expect, test } from "vitest";
import { resetUnsortedLimit, unsortedLimit } from "#db/stores/dynamodb/relay/unsorted-limit.ts";
import { eventItem } from "#db/stores/dynamodb/tutorial-shop.fixture.ts";
import { waitFor } from "#tests/wait-for.ts";
import { type DynamodbHarness, openDynamodbHarness } from "../../testing/dynamodb-harness.fixture.ts";
import { distinct } from "../../testing/outbox.fixture.ts";

let harness: DynamodbHarness;
beforeEach(async () => {
  unsortedLimit.items = 20;
  harness = await openDynamodbHarness();
});
afterEach(() => {
  resetUnsortedLimit();
  return harness.close();
});

const unsorted = (yaml: string) =>
  yaml
    .replace(', keys: ["yes"]', "")
    .replace("event_type: text,", "event_type: text, available_at: time,")
    .replace("publishedAt: published", "publishedAt: published, availableAt: available_at");

test("messages scheduled for next month keep no other waiting, although they are more than one read takes", async () => {
  const { shop } = harness;
  await harness.insert({ count: 5, aggregates: 5 });
  await harness.start([], unsorted);
  await harness.waitUntilSent();
  const nextMonth = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const waiting = Array.from({ length: 70 }, () => eventItem({ attributes: { available_at: { S: nextMonth } } }));
  await shop.tables.put(shop.table, waiting);
  for (const from of [1, 2, 3]) {
    await harness.insert({ count: 40, aggregates: 40, from });
    await waitFor(async () => (await harness.unpublished()) === 70, {
      timeoutMs: 30_000,
      message: "the others are sent",
    });
  }
  expect([harness.deliveries().length, distinct(harness.deliveries())]).toEqual([125, 125]);
  expect(harness.logged()).toContain("read in parts");
});
