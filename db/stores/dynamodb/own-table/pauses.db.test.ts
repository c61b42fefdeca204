import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DEAD, openRelayHand } from "../../conformance/open-outbox.fixture.ts";
import { ADA, REASON } from "../../conformance/operator-desk.fixture.ts";
import type { OutboxStore, Store } from "../../port/store.ts";
import { createTutorialShop, eventItem, type TutorialShop } from "../tutorial-shop.fixture.ts";
import { PARTITIONS, toItem } from "./own-table.ts";

/** More than the relay holds anywhere but in an incident; other engines count them all. */
const HOLDS = 5_100;
const WHOLE = { scope: "outbox", subject: "" } as const;

let shop: TutorialShop;
let store: Store;
let outbox: OutboxStore;
beforeEach(async () => {
  shop = await createTutorialShop();
  ({ store, outbox } = shop.open({ storeSide: true }));
  await store.migrate();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await shop.drop();
});

/** Aggregates that come before any of the shop's, in the order of keys. */
const holdMany = () => {
  const pk = PARTITIONS.pauses("orders");
  const row = { outbox: "orders", scope: "aggregate", reason: "dead", by: "relay", at: "2026-01-01", until: null };
  const holds = Array.from({ length: HOLDS }, (_, n) => {
    const subject = `OUTBOX#${String(n).padStart(6, "0")}`;
    return toItem({ pk, sk: `hold#${subject}`, doc: { ...row, subject, messageId: subject }, v: "1" });
  });
  return shop.tables.put(`${shop.tables.prefix}own`, holds);
};
const pause = (minutes: number | null) =>
  outbox.act.pause({ subject: WHOLE, actor: ADA, reason: REASON, detail: null, minutes });
const openHand = () => openRelayHand(outbox, "relay-1", { onDead: "hold" });

test("a pause of the whole outbox is kept, and a retry ends its hold, behind any number of held aggregates", async () => {
  await holdMany();
  await shop.tables.put(shop.table, [eventItem({ aggregate: "zzz" })]);
  const hand = openHand();
  await hand.acquire();
  const claim = await hand.claim();
  await hand.settle(claim, DEAD);
  await pause(null);
  expect((await hand.table.readPauses()).filter(({ scope }) => scope === "outbox")).toHaveLength(1);
  await hand.table.close();
  const { pause: whole, partialPauses } = await outbox.read.figures();
  expect([whole?.by, partialPauses.holds]).toEqual([ADA.name, HOLDS + 1]);

  const [{ id = "" } = {}] = claim.messages;
  const aggregateKey = claim.messages[0]?.aggregateKey ?? null;
  const held = () => store.records.pausesOf({ outbox: "orders", eventType: null, aggregateKey });
  expect(await held()).toMatchObject([{ messageId: id }]);
  const version = (await outbox.read.message(id))?.row.version ?? "";
  const verb = { action: "retry", id, version, actor: ADA, reason: REASON, operationId: randomUUID() } as const;
  expect((await outbox.act.perform({ ...verb, dryRun: false }, 0)).message).toContain("is now released");
  expect(await held()).toEqual([]);
});

test("a pause lasts as long as the server says, on a machine whose clock is ahead", async () => {
  await outbox.read.figures();
  await pause(10);
  const now = Date.now;
  vi.spyOn(Date, "now").mockImplementation(() => now() + 3_600_000);
  const { outbox: ahead } = shop.open({ storeSide: true });
  const hand = openRelayHand(ahead);
  await hand.acquire();
  expect(await hand.table.readPauses()).toMatchObject([WHOLE]);
  await hand.table.close();
  await ahead.act.pause({ subject: WHOLE, actor: ADA, reason: REASON, detail: null, minutes: 10 });
  vi.restoreAllMocks();
  const [{ until } = { until: null }] = (await store.records.relays("orders")).paused.pauses;
  expect(Date.parse(until ?? "")).toBeLessThan(Date.now() + 660_000);
});

test("an operation that has just begun is young, for a machine whose clock is ahead", async () => {
  const { records } = store;
  const begun = { id: randomUUID(), outbox: "orders", action: "retry", actor: ADA, reason: REASON } as const;
  await records.beginOperation({ ...begun, idempotencyKey: null, requestHash: "x" }, () => null);
  const now = Date.now;
  vi.spyOn(Date, "now").mockImplementation(() => now() + 3_600_000);
  expect((await records.operation(begun.id))?.ageSeconds).toBeLessThan(600);
});
