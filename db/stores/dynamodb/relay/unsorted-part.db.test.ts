import { afterEach, beforeEach, expect, test } from "vitest";
import type { TestItem } from "#tests/dynamodb/test-tables.ts";
import { openRelayHand, READ_ALL, type RelayHand } from "../../conformance/open-outbox.fixture.ts";
import type { ClaimRequest } from "../../port/relay/claim.ts";
import { createTutorialShop, eventItem, type TutorialShop } from "../tutorial-shop.fixture.ts";
import { resetUnsortedLimit, unsortedLimit } from "./unsorted-limit.ts";

let shop: TutorialShop;
let hand: RelayHand;
beforeEach(async () => {
  unsortedLimit.items = 20;
  shop = await createTutorialShop();
  const { columns } = shop.mapping;
  if (columns.createdAt) columns.availableAt = { ...columns.createdAt, name: "available_at" };
});
afterEach(async () => {
  resetUnsortedLimit();
  await hand.table.close();
  await shop.drop();
});

const NEXT_MONTH = new Date(Date.now() + 30 * 86_400_000).toISOString();

const scheduled = (count: number): TestItem[] =>
  Array.from({ length: count }, () => eventItem({ attributes: { available_at: { S: NEXT_MONTH } } }));

/** A relay that owns the outbox and reads the index without naming its keys, or with them but in another order. */
async function start(keys?: string[]): Promise<void> {
  const attributes = { ...shop.family.attributes, available_at: "time" } as const;
  const { store, outbox } = shop.open({
    storeSide: true,
    family: { attributes, waiting: { index: "unpublished", ...(keys ? { keys } : {}) } },
  });
  await store.migrate();
  hand = openRelayHand(outbox, "one");
  await hand.acquire();
}

const read = (fields: Partial<ClaimRequest> = {}) => hand.table.claimNew({ ...READ_ALL, lease: hand.lease, ...fields });

/** Ids of what `reads` reads of new messages find, each with all that were found before it excluded. */
async function foundIn(reads: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < reads; n += 1) {
    const { claim, more, partial } = await read({ excludeIds: ids });
    expect([more, partial]).toEqual([true, true]);
    ids.push(...(claim?.messages.map(({ id }) => id) ?? []));
  }
  return ids;
}

test.each([
  ["whose keys are not named", undefined],
  ["sorted by something else than the order", ["yes"]],
])("an index %s is read in parts, and each of its items by one of them", async (_, keys) => {
  const { columns } = shop.mapping;
  // The index is sorted by SK.
  if (keys && columns.createdAt) columns.order = columns.createdAt;
  const due = Array.from({ length: 5 }, () => eventItem());
  await shop.tables.put(shop.table, [...scheduled(50), ...due, ...scheduled(10)]);
  await start(keys);
  // 65 items: three full parts, and one that ends the round.
  expect(await foundIn(4)).toHaveLength(5);
  // Items that come later are found in the next round.
  await shop.tables.put(shop.table, [eventItem(), eventItem()]);
  expect(await foundIn(4)).toHaveLength(7);
});

test("a part in which messages are left is read again, so that a claim finds what a peek found", async () => {
  await shop.tables.put(shop.table, [...scheduled(50), eventItem()]);
  await start();
  const request = { ...READ_ALL, lease: hand.lease };
  const peeks: boolean[] = [];
  while (peeks.length < 3 && !peeks.at(-1)) peeks.push(await hand.table.hasNew(request));
  expect(peeks.at(-1)).toBe(true);
  expect((await read()).claim?.messages).toHaveLength(1);
});

test("searches for late messages and for probes find each message, whatever other reads are between them", async () => {
  await shop.tables.put(shop.table, [...scheduled(50), eventItem()]);
  await start();
  const request = { ...READ_ALL, lease: hand.lease };
  const found = { unread: 0, heads: 0 };
  for (let n = 0; n < 3; n += 1) {
    if ((await hand.table.findUnread(request)).found) found.unread += 1;
    await hand.table.hasNew(request);
    if (await hand.table.findHead({ request, excludeTypes: [] })) found.heads += 1;
  }
  expect(found.unread).toBeGreaterThan(0);
  expect(found.heads).toBe(1);
});

test("an index that one read takes is read whole again", async () => {
  const many = scheduled(30);
  await shop.tables.put(shop.table, [...many, eventItem()]);
  await start();
  await foundIn(1);
  for (const { PK, SK } of many.slice(0, 20)) await shop.tables.delete(shop.table, { PK, SK } as TestItem);
  // The second part ends the round.
  expect(await read()).toMatchObject({ more: true, partial: true });
  const whole = await read();
  expect([whole.more, whole.partial]).toEqual([false, undefined]);
});

test("what a part cannot show is not told: the last message, and runs of messages to skip", async () => {
  await shop.tables.put(shop.table, [...scheduled(30), eventItem()]);
  await start();
  expect((await read({ wantLast: true })).last).toBeNull();
  const ahead = await hand.table.lookAhead({ lease: hand.lease, after: null, excludeIds: [] });
  expect(ahead.partial).toBe(true);
});
