import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { MessageFilter } from "../port/message-row.ts";
import type { MessageOutcome } from "../port/relay/settle.ts";
import type { OutboxStore, Store } from "../port/store.ts";
import { troubleOf } from "../port/store-error.ts";
import { DEAD, failed, openOutbox, openRelayHand, type RelayHand } from "./open-outbox.fixture.ts";
import { describeListLimits } from "./outbox-list-limits.conformance.ts";
import {
  byName,
  type DatabaseUnderTest,
  NO_COLUMNS,
  NO_RELAY,
  type OutboxUnderTest,
  type StoreUnderTest,
} from "./store-under-test.fixture.ts";

const AN_HOUR_MS = 3_600_000;
const REFUSED: MessageOutcome = {
  ...{ kind: "dead", startedAt: new Date(), durationMs: 1 },
  failure: { code: "rejected", kind: "message", message: "HTTP 422: no such customer" },
};
const FIVE_MEGABYTES = 5_000_000;

/** The port's reason why a query failed; null if it was answered. */
async function troubleIn(question: Promise<unknown>) {
  try {
    await question;
    return null;
  } catch (error) {
    return troubleOf(error) ?? error;
  }
}

/** Requirements of every engine for the console's lists, details and groups; see describeOutboxReader for states. */
export function describeOutboxLists(engine: StoreUnderTest): void {
  describe(`${engine.kind} as an outbox to list`, () => {
    let database: DatabaseUnderTest;
    let store: Store;
    let table: OutboxUnderTest;
    let outbox: OutboxStore;
    let relay: RelayHand | null = null;

    beforeEach(async () => {
      database = await engine.createDatabase();
      store = database.openStore();
      table = await database.createOutbox(byName("timestamp"));
      outbox = await openOutbox(store, table);
    });
    afterEach(async () => {
      await relay?.table.close();
      relay = null;
      await database.drop();
    });

    const list = (filter: MessageFilter, more: { cursor?: string; limit?: number } = {}) =>
      outbox.read.list({ filter, limit: 100, ...more });
    const idsOf = async (filter: MessageFilter) => (await list(filter)).rows.map(({ id }) => id).sort();
    const startRelay = async () => {
      relay = openRelayHand(outbox);
      await relay.acquire();
      return relay;
    };

    test.each(["all", "unsent", "pending"] as const)(
      "pages through %s messages, each once, while others come and go",
      async (state) => {
        const ids = await table.insert(Array.from({ length: 25 }, (_, n) => ({ aggregateId: `${n}` })));
        const leaves = ids[20] as string;
        const seen: string[] = [];
        let cursor: string | null | undefined;
        for (let pages = 0; cursor !== null; pages++) {
          const page = await list({ state }, { limit: 4, ...(cursor ? { cursor } : {}) });
          seen.push(...page.rows.map(({ id }) => id));
          cursor = page.nextCursor;
          await table.insert([{ aggregateId: "new" }]);
          if (pages === 1) await table.publishByOther(leaves);
          expect(pages, "the newcomers do not keep the list from ending").toBeLessThan(60);
        }
        expect(seen).toHaveLength(new Set(seen).size);
        const stayed = ids.filter((id) => id !== leaves);
        expect(seen.filter((id) => stayed.includes(id)).sort()).toEqual([...stayed].sort());
      },
    );

    test("refuses a cursor of another list and one that was made up", async () => {
      await table.insert([{}, {}, {}]);
      await expect(list({ state: "all" }, { cursor: "made-up" })).rejects.toMatchObject({ code: "invalid_input" });
    });

    test("filters by type, aggregate, time and id, and by all of them together", async () => {
      const [placed, shipped, other] = (await table.insert([
        { aggregateId: "1", eventType: "order.placed", createdAt: "2026-03-01T10:00:00.000001Z" },
        { aggregateId: "1", eventType: "order.shipped", createdAt: "2026-03-01T11:00:00Z" },
        { aggregateId: "zoë 'x' %_", eventType: null, createdAt: "2026-03-01T12:00:00Z" },
      ])) as [string, string, string];
      const state = "all";
      expect(await idsOf({ state, eventType: "order.placed" })).toEqual([placed]);
      expect(await idsOf({ state, aggregateId: "1" })).toEqual([placed, shipped].sort());
      expect(await idsOf({ state, aggregateType: "order", aggregateId: "zoë 'x' %_" })).toEqual([other]);
      expect(await idsOf({ state, aggregateId: "zo% 'x' %_" })).toEqual([]);
      expect(await idsOf({ state, from: "2026-03-01T10:30:00Z", to: "2026-03-01T11:30:00Z" })).toEqual([shipped]);
      expect(await idsOf({ state, q: placed })).toEqual([placed]);
      expect(await idsOf({ state: "unsent", q: placed, aggregateId: "1", eventType: "order.placed" })).toEqual([
        placed,
      ]);
      expect(await idsOf({ state: "published", q: placed })).toEqual([]);
      const uncounted = await outbox.read.list({ filter: { state }, limit: 100, count: false });
      expect([uncounted.rows.length, uncounted.matching]).toEqual([3, null]);
    });

    test.each([
      ["a number that JavaScript cannot hold", '{"id":9007199254740993}'],
      ["a number with a zero at its end", '{"price": 1.10}'],
      ["letters of all kinds", '{"name":"Zoë 漢字 😀 \\u00e9"}'],
      ["spaces and the order of keys", '{ "b" : 1,\n  "a":2 }'],
    ])("shows %s exactly as stored", async (_, payload) => {
      const [id] = (await table.insert([{ payload }])) as [string];
      const shown = (await outbox.read.message(id))?.content.payload;
      const stored = (await table.row(id))?.[table.mapping.columns.payload.name];
      expect(shown).toMatchObject({ text: stored, format: "json" });
      expect(stored, "the table itself keeps the number").toContain(/\d[\d.]+/.exec(payload)?.[0] ?? "");
    });

    test("cuts the largest of payloads, and says how many bytes there are", async () => {
      const payload = JSON.stringify({ blob: "ä".repeat((engine.largestPayloadBytes ?? FIVE_MEGABYTES) / 2) });
      const [id] = (await table.insert([{ payload }])) as [string];
      const shown = (await outbox.read.message(id))?.content.payload;
      expect(shown?.totalBytes).toBe(Buffer.byteLength(payload));
      expect(shown?.shownBytes).toBeLessThan(1_000_000);
      expect(payload.startsWith(shown?.text ?? "nothing")).toBe(true);
    });

    test("groups failures by their cause, failed and dead together", async (context) => {
      if (!store.capabilities.relays) return context.skip(NO_RELAY);
      const hand = await startRelay();
      await table.insert([{ aggregateId: "1" }, { aggregateId: "2" }]);
      await hand.settle(await hand.claim(), failed(AN_HOUR_MS));
      await table.insert([{ aggregateId: "3" }]);
      await hand.settle(await hand.claim(), DEAD);
      const { grouped, complete } = await outbox.read.failures("text");
      expect(complete).toBe(true);
      expect(grouped).toEqual([
        expect.objectContaining({ messages: 3, failed: 2, dead: 1, aggregates: 3, eventTypes: ["order.placed"] }),
      ]);
      expect(grouped[0]?.newByHour).toEqual([...Array(23).fill(0), 3]);
      const group = grouped[0]?.key;
      expect(await idsOf({ state: "failed", group })).toHaveLength(2);
      expect(await idsOf({ state: "dead", group })).toHaveLength(1);
      expect(await idsOf({ state: "failed", group: "another" })).toEqual([]);
    });

    test("names every type of a group that has many", async (context) => {
      if (!store.capabilities.relays) return context.skip(NO_RELAY);
      const hand = await startRelay();
      const types = Array.from({ length: 30 }, (_, n) => `checkout.order.line.changed.${n}`);
      await table.insert(types.map((eventType, n) => ({ aggregateId: String(n), eventType })));
      await hand.settle(await hand.claim(), failed(AN_HOUR_MS));
      const { grouped } = await outbox.read.failures("code");
      expect(grouped.map(({ eventTypes }) => [...eventTypes].sort())).toEqual([types.sort()]);
    });

    test("says which relay made the last failed attempt, and nothing of a message without one", async (context) => {
      if (!store.capabilities.relays) return context.skip(NO_RELAY);
      const hand = await startRelay();
      const failing = await table.insert([{ aggregateId: "1" }]);
      await hand.settle(await hand.claim(), failed(AN_HOUR_MS));
      const waiting = await table.insert([{ aggregateId: "2" }]);
      const failedBy = await outbox.read.failedBy([...failing, ...waiting]);
      // Null: the engine would have to read each message's attempts one by one.
      if (failedBy !== null) expect([...failedBy]).toEqual([[failing[0], "relay-1"]]);
    });

    test.for([
      { by: "code" as const, filter: "errorCode" as const, keys: ["server_error", "rejected"] },
      { by: "type" as const, filter: "eventType" as const, keys: ["order.placed", "order.paid"] },
    ])("groups failures by $by, and finds the messages of each group and no others", async (grouping, context) => {
      if (!store.capabilities.relays) return context.skip(NO_RELAY);
      const { by, filter, keys } = grouping;
      const hand = await startRelay();
      await table.insert([{ aggregateId: "1" }, { aggregateId: "2" }]);
      await hand.settle(await hand.claim(), failed(AN_HOUR_MS));
      await table.insert([{ aggregateId: "3" }]);
      await hand.settle(await hand.claim(), DEAD);
      await table.insert([{ aggregateId: "4", eventType: "order.paid" }]);
      await hand.settle(await hand.claim(), REFUSED);
      await table.insert([{ aggregateId: "5" }]);
      const { grouped } = await outbox.read.failures(by);
      expect(grouped).toEqual([
        expect.objectContaining({ key: keys[0], code: "server_error", messages: 3, failed: 2, dead: 1 }),
        expect.objectContaining({ key: keys[1], code: "rejected", messages: 1, failed: 0, dead: 1 }),
      ]);
      expect(await idsOf({ state: "failing", [filter]: keys[0] })).toHaveLength(3);
      expect(await idsOf({ state: "failing", [filter]: keys[1] })).toHaveLength(1);
      expect(await idsOf({ state: "failing" })).toHaveLength(4);
    });

    test("says what a type or an aggregate has, whatever became of its messages", async () => {
      const [id] = (await table.insert([{ aggregateId: "1" }])) as [string];
      await table.publishByOther(id);
      expect(await outbox.read.has({ eventType: "order.placed" })).toBe(true);
      expect(await outbox.read.has({ aggregateKey: "order/1" })).toBe(true);
      expect(await outbox.read.has({ eventType: "order.never" })).not.toBe(true);
      expect(await outbox.read.has({ aggregateKey: "order/2" })).not.toBe(true);
    });

    test("samples what a route may look at, without payloads", async () => {
      await table.insert([{ aggregateId: "1" }, { aggregateId: "2", eventType: "order.shipped" }]);
      const sampled = await outbox.read.sample({ kind: table.mapping.columns.eventType?.name ?? "" });
      const types = sampled.map(({ eventType, fields }) => [eventType, fields?.kind]);
      expect(types).toContainEqual(["order.shipped", "order.shipped"]);
      expect(sampled.every((message) => !("payload" in message))).toBe(true);
    });

    test("its counters never fall, and grow by what was inserted", async () => {
      const before = await outbox.read.counters();
      await table.insert([{}, {}, {}]);
      const after = await outbox.read.counters();
      expect(after.atSeconds).toBeGreaterThanOrEqual(before.atSeconds);
      if (after.insertedBy !== "sequence")
        return expect(after.inserted ?? 0).toBeGreaterThanOrEqual(before.inserted ?? 0);
      expect((after.inserted ?? 0) - (before.inserted ?? 0)).toBe(3);
    });

    test("a column that was renamed is missing in the port's words, where a read needs it", async (context) => {
      if (!table.renamePayloadColumn) return context.skip(NO_COLUMNS);
      const [id] = (await table.insert([{}])) as [string];
      await table.renamePayloadColumn();
      expect(await troubleIn(outbox.read.message(id))).toBe("missing");
      expect([null, "missing"]).toContain(await troubleIn(list({ state: "all" })));
    });
  });

  describeListLimits(engine);
}
