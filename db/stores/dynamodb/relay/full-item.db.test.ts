import { afterEach, beforeEach, expect, test } from "vitest";
import { openRelayHand, type RelayHand } from "../../conformance/open-outbox.fixture.ts";
import type { MessageOutcome } from "../../port/relay/settle.ts";
import type { OutboxStore } from "../../port/store.ts";
import { createTutorialShop, eventItem, type TutorialShop } from "../tutorial-shop.fixture.ts";

/** Bytes of the largest item that DynamoDB takes: names and values. */
const LARGEST = 400 * 1024;

let shop: TutorialShop;
let hand: RelayHand;
let outbox: OutboxStore;

beforeEach(async () => {
  shop = await createTutorialShop();
  shop.mapping.columns.lastError = { name: "last_error", type: "text", nullable: true, from: "config" };
  const attributes = { ...shop.family.attributes, last_error: "text" } as const;
  const opened = shop.open({ storeSide: true, family: { attributes } });
  await opened.store.migrate();
  outbox = opened.outbox;
  hand = openRelayHand(outbox, "one");
  await hand.acquire();
});
afterEach(async () => {
  await hand.table.close();
  await shop.drop();
});

/** An item with so many bytes left. */
function itemWithRoom(bytes: number) {
  const item = eventItem();
  const empty = { ...item, payload: { S: '""' } };
  const used = Object.entries(empty).reduce(
    (sum, [name, value]) => sum + name.length + ("BOOL" in value ? 1 : Buffer.byteLength(value.S ?? "")),
    0,
  );
  return { ...item, payload: { S: `"${"x".repeat(LARGEST - used - bytes)}"` } };
}

const failure = (message: string): MessageOutcome => ({
  kind: "failed",
  startedAt: new Date(),
  durationMs: 1,
  failure: { code: "server_error", kind: "ambiguous", message },
  nextAttemptInMs: 60_000,
});

test("the failure of an item without room for its error is recorded beside it", async () => {
  await shop.tables.put(shop.table, [itemWithRoom(20), eventItem()]);
  const claim = await hand.claim();
  expect(claim.messages).toHaveLength(2);
  await hand.settle(claim, failure("x".repeat(400)));
  for (const { id } of claim.messages)
    expect((await outbox.read.message(id))?.row).toMatchObject({ state: "failed", lastError: "x".repeat(400) });
});

test("a claim of retries holds as many ids as its own item has room for", async () => {
  const long = (n: number) => eventItem({ aggregate: `${"a".repeat(700)}-${n}` });
  await shop.tables.put(
    shop.table,
    Array.from({ length: 300 }, (_, n) => long(n)),
  );
  for (let failed = 0; failed < 300; ) {
    const claim = await hand.claim({ limit: 300 });
    await hand.settle(claim, { ...failure("no"), nextAttemptInMs: 0 } as MessageOutcome);
    failed += claim.messages.length;
  }
  const lease = hand.lease;
  const claim = await hand.table.claimDueRetries({ lease, limit: 10_000, excludeIds: [] });
  const ids = claim?.messages.map(({ id }) => id) ?? [];
  expect(ids.join("").length).toBeGreaterThan(100_000);
  expect(ids.join("").length).toBeLessThan(190_000);
  const excludeIds = ids;
  expect((await hand.table.claimDueRetries({ lease, limit: 10_000, excludeIds }))?.messages.length).toBe(
    300 - ids.length,
  );
});
