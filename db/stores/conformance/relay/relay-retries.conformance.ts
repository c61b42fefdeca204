import { describe, expect, test } from "vitest";
import { failed, GIVEN_BACK, PUBLISHED, READ_ALL, type RelayHand } from "../open-outbox.fixture.ts";
import { PLAIN, type StoreUnderTest } from "../store-under-test.fixture.ts";
import { AN_HOUR_MS, claimIds, claimRetries, dieFor, idsOf, settleEach, stageRelays } from "./relay-stage.fixture.ts";

/** More retries than most engines read at once. */
const MANY = 5200;

/** Failed messages, the heads of their aggregates, and rows that reads leave out. */
export function describeRelayRetries(engine: StoreUnderTest): void {
  describe(`${engine.kind} as a table of retries`, () => {
    const stage = stageRelays(engine, PLAIN);

    const listRetries = (hand: RelayHand) => hand.table.listRetries({ lease: hand.lease });
    const headOf = (hand: RelayHand, message: Parameters<RelayHand["table"]["claimHead"]>[0]["message"]) =>
      hand.table.claimHead({ lease: hand.lease, message, from: null });
    const wait = (hand: RelayHand, claim: Awaited<ReturnType<RelayHand["claim"]>>, ids: readonly unknown[]) =>
      settleEach(hand, claim, ({ id }) => (ids.includes(id) ? failed(AN_HOUR_MS) : GIVEN_BACK));

    test("claims what is due, the longest due first, within the limit and without what is in memory", async () => {
      const hand = await stage.owner();
      const [a, b, c, later] = await stage.table.insert(["a", "b", "c", "d"].map((aggregateId) => ({ aggregateId })));
      const claim = await hand.claim();
      const dueIn = new Map([
        [a, 40],
        [b, 0],
        [c, 20],
        [later, AN_HOUR_MS],
      ]);
      await settleEach(hand, claim, ({ id }) => failed(dueIn.get(id) ?? 0));
      await expect.poll(async () => (await listRetries(hand)).filter(({ dueInMs }) => dueInMs <= 0).length).toBe(3);
      expect(idsOf(await claimRetries(hand, 2))).toHaveLength(2);
      const first = await claimRetries(hand, 1);
      expect(first?.messages).toMatchObject([{ id: b, retried: true, attempts: 1, payload: '{"n":1}' }]);
      const rest = await hand.table.claimDueRetries({ lease: hand.lease, limit: 10, excludeIds: [b!] });
      expect(idsOf(rest).sort()).toEqual([a, c].sort());
    });

    test("a retry is not claimed before it is due, and then it is", async () => {
      const hand = await stage.owner();
      const ids = await stage.table.insert([{}]);
      await hand.settle(await hand.claim(), failed(1000));
      const dueAt = Date.now() + 1000;
      expect(await claimRetries(hand)).toBeNull();
      await expect.poll(async () => idsOf(await claimRetries(hand))).toEqual(ids);
      expect(Date.now()).toBeGreaterThan(dueAt - 500);
    });

    test("a new owner is told of all that wait, and of the aggregates behind them", async () => {
      const [dead, next] = [await stage.owner("dead"), stage.relay("next")];
      const [a, b] = await stage.table.insert([{ eventType: "order.paid" }, { aggregateId: null }]);
      const claim = await dead.claim();
      await settleEach(dead, claim, ({ id }) => failed(id === a ? AN_HOUR_MS : 0));
      await dieFor(dead, next);
      const retries = await listRetries(next);
      const [head, lone] = claim.messages;
      const byId = (id: string | undefined) => retries.find((one) => one.id === id);
      expect(retries).toHaveLength(2);
      const facts = { attempts: 1, aggregateKey: head?.aggregateKey, eventType: "order.paid", order: head?.order };
      expect(byId(a)).toMatchObject(facts);
      expect(byId(a)?.dueInMs).toBeGreaterThan(AN_HOUR_MS / 2);
      expect(byId(b)).toMatchObject({ aggregateKey: null, order: lone?.order });
      expect(byId(b)?.dueInMs).toBeLessThanOrEqual(0);
    });

    test("an aggregate behind its failed head goes out in order once the head has", async () => {
      const hand = await stage.owner();
      const [head, second, third] = await stage.table.insert([{}, {}, {}]);
      const claim = await hand.claim();
      await settleEach(hand, claim, ({ id }) => (id === head ? failed(0) : GIVEN_BACK));
      const key = (await listRetries(hand))[0]?.aggregateKey ?? "";
      expect(await claimIds(hand, { excludeAggregates: [key] })).toEqual([]);
      const retry = (await claimRetries(hand))!;
      expect((await hand.settle(retry, PUBLISHED)).published).toEqual([head]);
      expect(await claimIds(hand)).toEqual([second, third]);
    });

    test("a head is claimed as it is, or an earlier message of its aggregate that was never tried", async () => {
      const hand = await stage.owner();
      const ids = await stage.table.insert([{ aggregateId: "b" }, {}, {}, {}]);
      const claim = await hand.claim();
      await hand.settle(claim, GIVEN_BACK);
      const [, , , last] = claim.messages;
      expect(idsOf(await headOf(hand, last!))).toEqual([ids[1]]);
      const from = await hand.table.claimHead({ lease: hand.lease, message: last!, from: claim.messages[2]!.order });
      expect(idsOf(from)).toEqual([ids[2]]);
      await stage.table.publishByOther(ids[1]!);
      await stage.table.publishByOther(ids[2]!);
      expect(idsOf(await headOf(hand, last!))).toEqual([ids[3]]);
      await stage.table.publishByOther(ids[3]!);
      expect(await headOf(hand, last!)).toBeNull();
    });

    test("a head that has failed is claimed with its attempts when it is due, and not before", async () => {
      const hand = await stage.owner();
      await stage.table.insert([{}, { aggregateId: "b" }]);
      const claim = await hand.claim();
      const [due, waits] = claim.messages;
      await settleEach(hand, claim, ({ id }) => failed(id === due?.id ? 0 : AN_HOUR_MS));
      expect((await headOf(hand, due!))?.messages).toMatchObject([{ id: due?.id, attempts: 1, retried: true }]);
      expect(await headOf(hand, waits!)).toBeNull();
    });

    test("finds the head of an aggregate that has none of the types, and overtakes nothing", async () => {
      const hand = await stage.owner();
      const ids = await stage.table.insert([
        { aggregateId: "a", eventType: "bad" },
        { aggregateId: "a", eventType: "good" },
        { aggregateId: "b", eventType: "good" },
        { aggregateId: null, eventType: "good" },
      ]);
      const find = (excludeTypes: string[], excludeIds: string[] = []) =>
        hand.table.findHead({ request: { ...READ_ALL, lease: hand.lease, excludeIds }, excludeTypes });
      const [, , head] = (await hand.claim()).messages;
      const { id, aggregateKey, order } = head!;
      expect(await find(["bad"])).toEqual({ id, aggregateKey, order });
      expect((await find(["bad"], [ids[2]!]))?.id).toBe(ids[3]);
      expect(await find(["bad", "good"])).toBeNull();
    });

    test("event types that are left out keep their retries, and their messages without an aggregate, waiting", async () => {
      const hand = await stage.owner();
      const types = ["bad", "good"];
      const rows = (aggregateId: string | null) => types.map((eventType) => ({ aggregateId, eventType }));
      const [badRetry, goodRetry] = await stage.table.insert(
        types.map((eventType) => ({ aggregateId: eventType, eventType })),
      );
      await hand.settle(await hand.claim(), failed(0));
      const [badLone, goodLone] = await stage.table.insert(rows(null));
      hand.table.leaveOut(["bad"]);
      expect(await claimIds(hand)).toEqual([goodLone]);
      expect(idsOf(await claimRetries(hand))).toEqual([goodRetry]);
      hand.table.leaveOut([]);
      expect(await claimIds(hand)).toEqual([badLone, goodLone]);
      expect(idsOf(await claimRetries(hand)).sort()).toEqual([badRetry, goodRetry].sort());
    });

    test("a message that is left out is claimed as a head, which is how its route is tried", async () => {
      const hand = await stage.owner();
      const [id] = await stage.table.insert([{ eventType: "bad" }]);
      const claim = await hand.claim();
      await hand.settle(claim, failed(0));
      hand.table.leaveOut(["bad"]);
      expect(await claimRetries(hand)).toBeNull();
      expect(idsOf(await headOf(hand, claim.messages[0]!))).toEqual([id]);
    });

    test("messages that were tried have a history, and new ones have none", async () => {
      const hand = await stage.owner();
      const [tried, fresh] = await stage.table.insert([{}, { aggregateId: "b" }]);
      await wait(hand, await hand.claim(), [tried]);
      expect(await hand.table.withHistory([tried!, fresh!])).toEqual([tried]);
    });

    test("rows that wait beside the table, however many, keep nothing that is due from being found", async () => {
      const hand = await stage.owner();
      expect(await hand.table.skipDeadRows(null)).toBeNull();
      const many = engine.manyBeside ?? MANY;
      await stage.table.fill(many);
      const claim = await hand.claim({ limit: many });
      await hand.settle(claim, failed(AN_HOUR_MS));
      const [id] = await stage.table.insert([{}]);
      const skipped = await hand.table.skipDeadRows(null);
      const last = claim.messages.at(-1)!.order;
      if (skipped) expect(skipped.reached).toEqual(last);
      expect(await claimIds(hand, { after: skipped?.reached ?? null })).toEqual([id]);
      expect(await claimIds(hand)).toEqual([id]);
    });
  });
}
