import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTutorialShop, eventItem, orderItem, type TutorialShop } from "../tutorial-shop.fixture.ts";

/** Together more than a table may have to be read whole. */
const LARGE_ORDERS = Array.from({ length: 12 }, (_, n) => orderItem(String(n), 100_000));

describe.each(["ALL", "KEYS_ONLY"] as const)(
  "a large table with an index of what waits, which holds %s",
  (projection) => {
    let shop: TutorialShop;
    beforeEach(async () => {
      shop = await createTutorialShop(projection);
      for (const order of LARGE_ORDERS) await shop.tables.put(shop.table, [order]);
    });
    afterEach(() => shop.drop());

    test("shows what waits from the index, oldest first, and says that its counts are about", async () => {
      const waiting = [eventItem({ aggregate: "b" }), eventItem({ aggregate: "a" })];
      await shop.tables.put(shop.table, [...waiting, eventItem({ published: true })]);
      const { read } = shop.open().outbox;
      const page = await read.list({ filter: { state: "pending" }, limit: 10 });
      expect(page.rows.map(({ aggregateId }) => aggregateId)).toEqual(["OUTBOX#b", "OUTBOX#a"]);
      expect(page.rows.map(({ eventType }) => eventType)).toEqual(["order.placed", "order.placed"]);
      expect(page.partial).toBeNull();
      const { counts, waiting: told } = await read.figures();
      expect(counts.pending).toEqual({ value: 2, precision: "estimate" });
      expect(counts.published, "its items are not in the index").toEqual({ value: 0, precision: "unknown" });
      expect(told.oldestKnown).toBe(true);
      for (const row of page.rows) expect((await read.message(row.id))?.row.version).toBe(row.version);
    });

    test("a list of what is not in the index is refused with a filter, and without one says that nothing was read for it", async () => {
      await shop.tables.put(shop.table, [eventItem({ published: true })]);
      const { read } = shop.open().outbox;
      await expect(
        read.list({ filter: { state: "published", eventType: "order.placed" }, limit: 10 }),
      ).rejects.toMatchObject({ code: "filter_not_indexed", details: { index: expect.any(String) } });
      expect((await read.list({ filter: { state: "published" }, limit: 10 })).partial).toMatchObject({
        index: expect.stringContaining("unpublished"),
      });
    });
  },
);

describe("a large table without an index", () => {
  let shop: TutorialShop;
  beforeEach(async () => {
    shop = await createTutorialShop();
    for (const order of [...LARGE_ORDERS, ...LARGE_ORDERS.map((item) => ({ ...item, SK: { S: "copy" } }))])
      await shop.tables.put(shop.table, [order]);
    await shop.tables.put(shop.table, [eventItem()]);
  });
  afterEach(() => shop.drop());

  test("has no exact count, reads a bounded part of it, and says which index to create", async () => {
    const { outbox, store } = shop.open({ family: { waiting: undefined } });
    const { counts, waiting } = await outbox.read.figures();
    for (const [state, { precision }] of Object.entries(counts))
      if (state !== "archived") expect(precision, state).not.toBe("exact");
    expect(waiting.oldestKnown).toBe(false);
    const { indexes, small } = await outbox.read.judgeIndexes(null);
    expect(small).toBe(false);
    expect(indexes).toMatchObject([{ use: "waiting", verdict: "missing", sql: expect.stringContaining(shop.table) }]);
    expect(store.capabilities.exactCounts).toBe(false);
  });

  test("an index that is configured and not there is said by the doctor", async () => {
    const { outbox } = shop.open({ family: { waiting: { index: "no-such-index" } } });
    const findings = await outbox.doctor({ mode: "observe" });
    expect(findings).toContainEqual({
      level: "bad",
      text: `outbox orders: ${shop.table} has no index no-such-index`,
      fix: "It has: unpublished.",
    });
  });
});

describe("the capacity that reads take", () => {
  let shop: TutorialShop;
  beforeEach(async () => {
    shop = await createTutorialShop();
    await shop.tables.put(shop.table, [orderItem("large", 200_000), eventItem()]);
  });
  afterEach(() => shop.drop());

  test("a reading is used again while its units flow in, and an operator's own change is seen at once", async () => {
    const { outbox } = shop.open({ readUnitsPerMinute: 60 });
    const first = await outbox.read.figures();
    await shop.tables.put(shop.table, [eventItem()]);
    const again = await outbox.read.figures();
    expect([again.asOf, again.counts.pending.value]).toEqual([first.asOf, 1]);
  });

  test("what is beyond the units of a minute is refused, with the seconds to wait", async () => {
    const { outbox } = shop.open({ readUnitsPerMinute: 1 });
    const page = await outbox.read.list({ filter: { state: "all" }, limit: 1 });
    const refused = outbox.read.message(page.rows[0]?.id ?? "");
    await expect(refused).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/store shop have used up their 1 capacity units.+in \d+ s.+readUnitsPerMinute/),
    });
  });

  test("the doctor says what one reading took, and warns of unsent items that expire", async () => {
    const ttl = { N: String(Math.floor(Date.now() / 1000) + 60) };
    await shop.tables.put(shop.table, [eventItem({ attributes: { ttl, surprise: { S: "x" } } })]);
    const texts = (await shop.open().outbox.doctor({ mode: "observe" })).map(({ level, text }) => `${level} ${text}`);
    expect(texts).toContainEqual(expect.stringMatching(/^ok .+one reading of the table .+ took [\d.]+ capacity units/));
    expect(texts).toContain("bad outbox orders: DynamoDB will delete 1 unpublished items by ttl, sent or not");
    expect(texts).toContainEqual(expect.stringMatching(/^later .+not declared: .*surprise/));
  });
});
