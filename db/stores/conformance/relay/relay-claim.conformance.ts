import { beforeEach, describe, expect, test } from "vitest";
import { variants } from "#tests/test-depth.ts";
import type { Claim } from "../../port/relay/claim.ts";
import { failed, GIVEN_BACK, READ_ALL } from "../open-outbox.fixture.ts";
import { BARE, BY_CAPABILITY, contrastsOf, type StoreUnderTest } from "../store-under-test.fixture.ts";
import { AN_HOUR_MS, claimIds, dieFor, idsOf, inFlight, isLeaseLost, stageRelays } from "./relay-stage.fixture.ts";

const LARGE_BYTES = 100_000;

/** Claims of new messages: R2's order, and everything that a request leaves out. */
export function describeRelayClaim(engine: StoreUnderTest): void {
  const layouts = variants(contrastsOf(engine, "delete"), [BARE]);
  describe.each(layouts)(`${engine.kind} as a table to claim from, with $name`, (layout) => {
    const stage = stageRelays(engine, layout);
    let ids: string[];

    /** Three messages of each of three aggregates, in turns. */
    const insertNine = async () => {
      ids = await stage.table.insert(
        Array.from({ length: 9 }, (_, index) => ({ aggregateId: `a${index % 3}`, payload: `{"n":${index}}` })),
      );
    };
    beforeEach(insertNine);

    test("claims in the order of first deliveries, with everything that a broker is told", async () => {
      const hand = await stage.owner();
      const { messages } = await hand.claim();
      expect(messages.map(({ id }) => id)).toEqual(ids);
      expect(messages.map(({ payload }) => payload)).toEqual(ids.map((_, index) => `{"n":${index}}`));
      expect(messages[1]).toMatchObject({
        eventId: ids[1],
        aggregateType: "order",
        aggregateId: "a1",
        eventType: "order.placed",
        // The engine chooses the type of the column.
        payloadKind: expect.stringMatching(/^(json|text)$/),
        scheduled: false,
        attempts: 0,
      });
      expect(Math.abs(Date.parse(messages[1]?.createdAt ?? "") - Date.now())).toBeLessThan(AN_HOUR_MS);
      expect(new Set(messages.map(({ aggregateKey }) => aggregateKey)).size).toBe(3);
      const orders = messages.map(({ order }) => order);
      expect([...orders].reverse().sort((left, right) => hand.table.compareOrder(left, right))).toEqual(orders);
      expect(await inFlight(stage.outbox)).toBe(9);
    });

    test("claims from a position on, itself included, and no more than the limit", async () => {
      const hand = await stage.owner();
      const all = await hand.claim();
      const after = all.messages[3]?.order ?? null;
      const lease = hand.lease;
      const some = await hand.table.claimNew({ ...READ_ALL, lease, after, limit: 4 });
      expect(idsOf(some.claim)).toEqual(ids.slice(3, 7));
      expect(some.more).toBe(true);
      const rest = await hand.table.claimNew({ ...READ_ALL, lease, after, limit: 7 });
      expect(idsOf(rest.claim)).toEqual(ids.slice(3));
      const end = await hand.table.claimNew({ ...READ_ALL, lease, after, wantLast: true });
      expect([end.more, end.last]).toEqual([false, all.messages[8]?.order]);
    });

    test("leaves out ids in memory and aggregates that wait; a peek says the same", async () => {
      const hand = await stage.owner();
      const all = await hand.claim();
      const waiting = all.messages[0]?.aggregateKey ?? "";
      const request = { excludeIds: [ids[1] ?? ""], excludeAggregates: [waiting] };
      expect(await claimIds(hand, request)).toEqual(ids.filter((_, index) => index % 3 !== 0 && index !== 1));
      const nothing = { ...READ_ALL, lease: hand.lease, ...request, excludeIds: ids };
      expect(await hand.table.hasNew(nothing)).toBe(false);
      expect((await hand.table.claimNew(nothing)).claim).toBeNull();
      expect(await hand.table.hasNew({ ...nothing, excludeIds: ids.slice(0, 8) })).toBe(true);
    });

    test("excluded aggregates keep no message without an aggregate from going out", async () => {
      const hand = await stage.owner();
      const keys = (await hand.claim()).messages.map(({ aggregateKey }) => aggregateKey ?? "");
      const [lone] = await stage.table.insert([{ aggregateId: null }]);
      expect(await claimIds(hand, { excludeAggregates: keys })).toEqual([lone]);
    });

    test("ends a claim by the bytes of its payloads, never before the first", async () => {
      const payload = () =>
        JSON.stringify(Array.from({ length: LARGE_BYTES / 10 }, () => Math.random().toString(36).slice(2, 10)));
      const large = await stage.table.insert(Array.from({ length: 5 }, () => ({ payload: payload() })));
      const hand = await stage.owner();
      const read = (maxBytes: number) =>
        hand.table.claimNew({ ...READ_ALL, lease: hand.lease, excludeIds: ids, maxBytes });
      const first = await read(1);
      expect([idsOf(first.claim), first.more]).toEqual([large.slice(0, 1), true]);
      const some = await read(2.5 * LARGE_BYTES);
      const count = idsOf(some.claim).length;
      expect([2, 3]).toContain(count);
      expect([idsOf(some.claim), some.more]).toEqual([large.slice(0, count), true]);
    });

    test("ends a claim of retries by the bytes of their payloads, never before the first", async (context) => {
      if (engine.kind === "dynamodb") return context.skip(`${BY_CAPABILITY} an item has at most 400 kB`);
      const payload = () =>
        JSON.stringify(Array.from({ length: LARGE_BYTES / 10 }, () => Math.random().toString(36).slice(2, 10)));
      const large = await stage.table.insert(Array.from({ length: 4 }, () => ({ payload: payload() })));
      const hand = await stage.owner();
      await hand.settle(await hand.claim({ excludeIds: ids }), failed(0));
      const claim = await hand.table.claimDueRetries({
        lease: hand.lease,
        limit: 9,
        excludeIds: [],
        maxBytes: LARGE_BYTES / 2,
      });
      expect(idsOf(claim)).toHaveLength(1);
      expect(large).toContain(idsOf(claim)[0]);
    });

    test("claims what certain aggregates have before a place, in order and within the limit", async (context) => {
      const hand = await stage.owner();
      const claimed = await hand.claim();
      const { messages } = claimed;
      const { claimFollowers } = hand.table;
      if (!claimFollowers) return context.skip(`${BY_CAPABILITY} it need not walk over rows of others`);
      await hand.settle(claimed, GIVEN_BACK);
      const places = messages.map(({ order }) => order);
      const [first, second] = messages.map(({ aggregateKey }) => aggregateKey ?? "");
      const before = places[8]!;
      const request = { lease: hand.lease, before, limit: 10, maxBytes: 1e9, excludeIds: [] };
      const all = await claimFollowers({ ...request, after: null, aggregates: [first!, second!] });
      expect([idsOf(all.claim), all.reached]).toEqual([[0, 1, 3, 4, 6, 7].map((n) => ids[n]), before]);
      const some = await claimFollowers({ ...request, after: places[1]!, aggregates: [first!], limit: 1 });
      expect([idsOf(some.claim), some.reached]).toEqual([[ids[3]], places[3]]);
      const excludeIds = [ids[3]!, ids[6]!];
      const none = await claimFollowers({ ...request, after: places[1]!, aggregates: [first!], excludeIds });
      expect(none).toEqual({ claim: null, reached: before });
      await dieFor(hand, stage.relay("next"));
      expect(await isLeaseLost(() => claimFollowers({ ...request, after: null, aggregates: [first!] }))).toBe(true);
    });

    test("claims a scheduled message when its time has come, and not before", async () => {
      const hand = await stage.owner();
      const soon = new Date(Date.now() + 1500).toISOString();
      const later = new Date(Date.now() + AN_HOUR_MS).toISOString();
      const [due, , waits] = await stage.table.insert([
        {
          createdAt: new Date(Date.now() - AN_HOUR_MS).toISOString(),
          availableAt: new Date(Date.now() - 60_000).toISOString(),
        },
        { availableAt: later },
        { availableAt: soon },
      ]);
      const first = await hand.claim({ excludeIds: ids });
      expect(first.messages).toMatchObject([{ id: due, scheduled: true }]);
      await expect.poll(() => claimIds(hand, { excludeIds: [...ids, due ?? ""] })).toEqual([waits]);
      expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(soon) - 50);
    });

    test("a search says which messages become due next, and when", async () => {
      const hand = await stage.owner();
      const inMs = [AN_HOUR_MS, 2500, -1000];
      const availableAt = inMs.map((ms) => ({ availableAt: new Date(Date.now() + ms).toISOString() }));
      const [, next] = await stage.table.insert(availableAt);
      const { rows } = await hand.table.lookAhead({ lease: hand.lease, after: null, excludeIds: ids });
      const { soon } = await hand.table.findUnread({ ...READ_ALL, lease: hand.lease });
      expect(soon === undefined, "only reads that have a budget leave it out").toBe(hand.table.isMetered === true);
      if (soon === undefined) return;
      expect(soon).toHaveLength(1);
      expect(soon[0]?.inMs).toBeGreaterThan(0);
      expect(soon[0]?.inMs).toBeLessThanOrEqual(2600);
      expect(rows.map(({ order }) => order)).not.toContainEqual(soon[0]?.order);
      await expect.poll(() => claimIds(hand, { after: soon[0]?.order ?? null, limit: 1 })).toEqual([next]);
    });

    test("a message that may be sent at its creation, or within a second, is not a scheduled one", async () => {
      const hand = await stage.owner();
      const createdMs = Date.now() - AN_HOUR_MS;
      const createdAt = new Date(createdMs).toISOString();
      const availableAt = (afterMs: number) => ({
        createdAt,
        availableAt: new Date(createdMs + afterMs).toISOString(),
      });
      const [before, same, soon, later] = await stage.table.insert([-5000, 0, 900, 5000].map(availableAt));
      const { messages } = await hand.claim({ excludeIds: ids });
      const scheduled = new Map(messages.map((message) => [message.id, message.scheduled]));
      expect(Object.fromEntries(scheduled)).toEqual({
        [before!]: false,
        [same!]: false,
        [soon!]: false,
        [later!]: true,
      });
    });

    test("looks ahead, and searches, at what a claim would bring, and claims none of it", async () => {
      const hand = await stage.owner();
      const { lease } = hand;
      const { rows } = await hand.table.lookAhead({ lease, after: null, excludeIds: ids.slice(0, 2) });
      expect(rows.map(({ id }) => id)).toEqual(ids.slice(2));
      expect(rows[0]).toMatchObject({ eventType: "order.placed" });
      expect(rows.every(({ ageMs }) => ageMs < AN_HOUR_MS)).toBe(true);
      const { found: order } = await hand.table.findUnread({ ...READ_ALL, lease });
      const { found } = await hand.table.findUnread({ ...READ_ALL, lease, excludeIds: ids.slice(0, 4) });
      expect(found).toEqual(rows[2]?.order);
      const none = await hand.table.findUnread({ ...READ_ALL, lease, excludeIds: ids });
      expect(none).toMatchObject({ found: null, next: null });
      const findBefore = (place: number, excluded: number) => {
        const request = { ...READ_ALL, lease, excludeIds: ids.slice(0, excluded) };
        return hand.table.findBefore({ request, before: rows[place]!.order });
      };
      expect([await findBefore(3, 0), await findBefore(3, 4), await findBefore(2, 4)]).toEqual([
        order,
        rows[2]?.order,
        null,
      ]);
      expect(await inFlight(stage.outbox)).toBe(0);
    });

    test("claims listed rows that are still to be sent, in order and up to a place", async (context) => {
      const hand = await stage.owner();
      if (hand.table.isMetered) return context.skip(`${BY_CAPABILITY} none of its reads scans the table`);
      const { rows } = await hand.table.lookAhead({ lease: hand.lease, after: null, excludeIds: [] });
      await stage.table.publishByOther(ids[4] ?? "");
      const [excludeIds, waiting] = [[ids[5] ?? ""], rows[0]?.aggregateKey ?? ""];
      const among = { ids: [7, 6, 1, 5, 4, 3, 2].map((place) => ids[place] ?? ""), until: rows[6]!.order };
      const after = rows[2]!.order;
      const { claim } = await hand.table.claimNew({ ...READ_ALL, lease: hand.lease, after, excludeIds, among });
      expect(idsOf(claim), "6 and 3 are of one aggregate").toEqual([ids[2], ids[3], ids[6]]);
      expect(await claimIds(hand, { after, excludeIds, excludeAggregates: [waiting], among })).toEqual([ids[2]]);
    });

    test("ends before the first row that is too young, and takes that for no end of the table", async () => {
      const hand = await stage.owner();
      const createdAt = new Date(Date.now() - AN_HOUR_MS).toISOString();
      const [first] = await stage.table.insert([{ createdAt }, {}, { createdAt }]);
      const request = { ...READ_ALL, lease: hand.lease, agedMs: AN_HOUR_MS / 2 };
      const nothing = await hand.table.claimNew(request);
      expect([nothing.claim, nothing.more], "five young ones come first").toEqual([null, true]);
      const read = await hand.table.claimNew({ ...request, excludeIds: ids });
      expect([idsOf(read.claim), read.more]).toEqual([[first], true]);
    });

    test("a claim that was given back is claimed again as if it had never been", async () => {
      const hand = await stage.owner();
      const first = await hand.claim();
      await hand.settle(first, GIVEN_BACK);
      expect(await inFlight(stage.outbox)).toBe(0);
      const told = ({ messages }: Claim) => messages.map(({ version: _, ...message }) => message);
      expect(told(await hand.claim())).toEqual(told(first));
    });

    test("a message that another relay has published is not claimed", async () => {
      const hand = await stage.owner();
      await stage.table.publishByOther(ids[0] ?? "");
      expect(await claimIds(hand)).toEqual(ids.slice(1));
    });
  });
}
