import { describe, expect, test } from "vitest";
import { ALL_PARTITIONS } from "#domain/relay/partitions.ts";
import type { PauseSubject } from "../../port/pauses.ts";
import type { RelayHeartbeat } from "../../port/relay/relay-heartbeat.ts";
import { makeHeartbeat } from "../heartbeat.fixture.ts";
import { DEAD, failed, PUBLISHED } from "../open-outbox.fixture.ts";
import { PLAIN, type StoreUnderTest } from "../store-under-test.fixture.ts";
import { claimIds, claimRetries, idsOf, stageRelays } from "./relay-stage.fixture.ts";

const ACTOR = { name: "ann", role: "operator" } as const;
const SILENT_MS = 60_000;

/** Reports by relays and to relays: heartbeats, shares, pauses, other publishers. */
export function describeRelayViews(engine: StoreUnderTest): void {
  describe(`${engine.kind} as what relays know of each other`, () => {
    const stage = stageRelays(engine, PLAIN);

    const pause = (scope: PauseSubject["scope"], subject = "") =>
      stage.outbox.act.pause({
        subject: { scope, subject },
        actor: ACTOR,
        reason: "test",
        detail: null,
        minutes: null,
      });
    const resume = (scope: PauseSubject["scope"], subject = "") =>
      stage.outbox.act.resume({ subject: { scope, subject }, actor: ACTOR, reason: "test", detail: null });

    test("a heartbeat is what the console reads of the instance, on the database's clock", async () => {
      const { table } = stage.relay("one");
      const at = new Date();
      await table.writeHeartbeat(makeHeartbeat("one", { lastPublishedAt: at, lastError: "HTTP 500", lateCommits: 4 }), {
        silentMs: SILENT_MS,
      });
      const view = await table.writeHeartbeat(makeHeartbeat("one", { published: 9, failures: 2 }), {
        silentMs: SILENT_MS,
      });
      expect(Math.abs(view.databaseTimeMs - Date.now())).toBeLessThan(3_600_000);
      const { relays } = await stage.store.records.relays(stage.table.name);
      expect(relays).toMatchObject([{ id: "one", host: "host-1", pid: 42, state: "owner", published: 9, failures: 2 }]);
      expect(relays[0]?.heartbeatAgeSeconds).toBeLessThan(60);
    });

    test("shares name who takes part: none that is silent, leaving, or reading the log", async () => {
      const hand = stage.relay("one");
      await hand.acquire({ share: true, most: 20 });
      const say = (id: string, fields: Partial<RelayHeartbeat>) =>
        hand.table.writeHeartbeat(makeHeartbeat(id, fields), { silentMs: SILENT_MS });
      await say("one", {});
      await say("standby", { state: "standby" });
      await say("holding", {
        state: "holding",
        sink: { name: "events", kind: "log", address: "here", ordering: "none" },
      });
      await say("paused", { state: "paused" });
      await say("stopping", { state: "stopping" });
      await say("stopped", { state: "stopped" });
      await say("log", { source: "cdc" });
      const { shares } = await say("one", {});
      expect([...shares.members].sort()).toEqual(["holding", "one", "paused", "standby"]);
      expect([...shares.orderings]).toEqual([["holding", "none"]]);
      expect([...shares.owned]).toEqual([["one", 20]]);
      expect(shares.free).toBe(ALL_PARTITIONS.length - 20);
      expect(await hand.table.readShares({ silentMs: SILENT_MS })).toEqual(shares);
      await expect.poll(async () => (await hand.table.readShares({ silentMs: 1 })).members).toEqual([]);
    });

    test("a heartbeat tells that pauses or retries have changed, and nothing while they have not", async () => {
      const hand = await stage.owner();
      const look = () => hand.table.writeHeartbeat(makeHeartbeat("one"), { silentMs: SILENT_MS });
      const first = await look();
      expect(await look()).toMatchObject({ pauses: first.pauses, retries: first.retries });
      await pause("event_type", "order.placed");
      const paused = await look();
      expect(paused.pauses).not.toBe(first.pauses);
      expect(paused.retries).toBe(first.retries);
      await resume("event_type", "order.placed");
      expect((await look()).pauses).not.toBe(paused.pauses);
      await stage.table.insert([{}]);
      await hand.settle(await hand.claim(), failed(0));
      const failedOne = await look();
      expect(failedOne.retries).not.toBe(first.retries);
      await hand.settle((await claimRetries(hand))!, PUBLISHED);
      expect((await look()).retries).not.toBe(failedOne.retries);
    });

    test("pauses of the outbox, a type and an aggregate are read with who paused them and why", async () => {
      const { table } = stage.relay();
      expect(await table.readPauses()).toEqual([]);
      await pause("outbox");
      await pause("event_type", "order.placed");
      await pause("aggregate", "order/a");
      const facts = { by: "ann", reason: "test", until: null, messageId: null };
      const byScope = [...(await table.readPauses())].sort((left, right) => (left.scope < right.scope ? -1 : 1));
      expect(byScope).toEqual([
        { ...facts, scope: "aggregate", subject: "order/a" },
        { ...facts, scope: "event_type", subject: "order.placed" },
        { ...facts, scope: "outbox", subject: "" },
      ]);
      await resume("outbox");
      expect((await table.readPauses()).map(({ scope }) => scope).sort()).toEqual(["aggregate", "event_type"]);
    });

    test("paused types and aggregates keep their retries, once the pause was read", async () => {
      const hand = await stage.owner();
      const [byType, byAggregate, free] = await stage.table.insert([
        { aggregateId: "a", eventType: "bad" },
        { aggregateId: "b" },
        { aggregateId: "c" },
      ]);
      const claim = await hand.claim();
      const key = claim.messages[1]?.aggregateKey ?? "";
      await hand.settle(claim, failed(0));
      await pause("event_type", "bad");
      await pause("aggregate", key);
      await hand.table.readPauses();
      expect(idsOf(await claimRetries(hand))).toEqual([free]);
      await resume("event_type", "bad");
      await resume("aggregate", key);
      await hand.table.readPauses();
      expect(idsOf(await claimRetries(hand)).sort()).toEqual([byType, byAggregate, free].sort());
    });

    test("a paused type keeps messages without an aggregate, once the pause was read", async () => {
      const hand = await stage.owner();
      const [paused, free] = await stage.table.insert([
        { aggregateId: null, eventType: "bad" },
        { aggregateId: null, eventType: "good" },
      ]);
      await pause("event_type", "bad");
      await hand.table.readPauses();
      expect(await claimIds(hand)).toEqual([free]);
      await resume("event_type", "bad");
      await hand.table.readPauses();
      expect(await claimIds(hand)).toEqual([paused, free]);
    });

    test("with onDead hold the aggregate behind a dead message is a pause of the relay's own", async () => {
      const hand = await stage.owner("one", { onDead: "hold" });
      const [id] = await stage.table.insert([{}]);
      const claim = await hand.claim();
      await hand.settle(claim, DEAD);
      const [hold] = await hand.table.readPauses();
      expect(hold).toMatchObject({ scope: "aggregate", subject: claim.messages[0]?.aggregateKey, messageId: id });
      expect(await resume("aggregate", hold?.subject)).toBe(true);
      expect(await hand.table.readPauses()).toEqual([]);
    });

    test("with onDead pass nothing waits behind a dead message", async () => {
      const hand = await stage.owner("one", { onDead: "pass" });
      await stage.table.insert([{}]);
      await hand.settle(await hand.claim(), DEAD);
      expect(await hand.table.readPauses()).toEqual([]);
    });

    test("rows that another program published a moment ago are foreign until a relay of ours is at work", async () => {
      const { table } = stage.relay("one");
      const ids = await stage.table.insert([{}, { aggregateId: "b" }]);
      expect(await table.foreignPublishes()).toBe(0);
      for (const id of ids) await stage.table.publishByOther(id);
      expect(await table.foreignPublishes()).toBe(2);
      await table.writeHeartbeat(makeHeartbeat("two", { state: "standby" }), { silentMs: SILENT_MS });
      expect(await table.foreignPublishes()).toBe(2);
      await table.writeHeartbeat(makeHeartbeat("two"), { silentMs: SILENT_MS });
      expect(await table.foreignPublishes()).toBe(0);
    });

    test("rows that were published a moment ago are named, by whomever, to the owner of their partitions", async () => {
      const [one, two] = [stage.relay("one"), stage.relay("two")];
      await one.acquire({ share: true, most: 16 });
      await two.acquire({ share: true });
      const ids = await stage.table.insert(Array.from({ length: 30 }, (_, index) => ({ aggregateId: `a${index}` })));
      const mine = await one.claim();
      await one.settle(mine, PUBLISHED);
      const others = ids.filter((id) => !idsOf(mine).includes(id));
      for (const id of others) await stage.table.publishByOther(id);
      const recent = async ({ table, lease }: typeof one) =>
        [...((await table.recentlyPublished({ lease, windowMs: 600_000 })) ?? [])].sort();
      await expect.poll(() => recent(one)).toEqual(idsOf(mine).sort());
      await expect.poll(() => recent(two)).toEqual(others.sort());
    });
  });
}
