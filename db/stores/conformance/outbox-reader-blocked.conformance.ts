import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { BlockedPageRequest } from "../port/blocked-aggregates.ts";
import { DEAD, failed, openRelayHand } from "./open-outbox.fixture.ts";
import { ADA, AN_HOUR_MS, type OperatorDesk, openDesk, REASON } from "./operator-desk.fixture.ts";
import { contrastsOf, NO_RELAY, type StoreUnderTest } from "./store-under-test.fixture.ts";

/** Requirements of every engine for the list of aggregates that wait behind a head. */
export function describeBlockedAggregates(engine: StoreUnderTest): void {
  describe.each(contrastsOf(engine, "status"))(`blocked aggregates of ${engine.kind}, with $name`, (layout) => {
    let desk: OperatorDesk;
    beforeEach(async () => {
      desk = await openDesk(engine, layout);
    });
    afterEach(() => desk.close());

    const page = (request: Partial<BlockedPageRequest> = {}) => desk.outbox.read.blocked({ limit: 50, ...request });
    const pause = (aggregateKey: string) =>
      desk.outbox.act.pause({
        ...{ subject: { scope: "aggregate", subject: aggregateKey }, actor: ADA, reason: REASON },
        ...{ detail: null, minutes: null },
      });
    /** An aggregate whose head failed, and the messages that wait behind it. */
    const block = async (aggregateId: string, behind = 1) => {
      const ids = await desk.table.insert(Array.from({ length: behind + 1 }, () => ({ aggregateId })));
      await desk.publishAlone(ids[0] ?? "", failed(AN_HOUR_MS));
      return ids[0] ?? "";
    };

    test("an outbox in which nothing waits behind a head has none", async (context) => {
      await desk.table.insert([{}, { aggregateId: "b" }]);
      expect(await page()).toMatchObject({ aggregates: [], nextCursor: null, looked: 0, asOf: expect.any(String) });
      if (!desk.store.capabilities.relays) return context.skip(NO_RELAY);
      await desk.put("failed");
      expect(await page()).toMatchObject({ aggregates: [], nextCursor: null });
    });

    test("lists each aggregate once, the longest blocked first, with its head and what waits behind it", async (context) => {
      if (!desk.store.capabilities.relays) return context.skip(NO_RELAY);
      const a = await block("a", 1);
      const b = await block("b", 3);
      await desk.table.insert([{ aggregateId: "free" }]);
      const { aggregates, nextCursor } = await page();
      const common = { kind: "failing", pauses: [], waitingCapped: false };
      expect(aggregates).toMatchObject([
        { ...common, aggregateKey: "order/a", headId: a, waiting: 1 },
        { ...common, aggregateKey: "order/b", headId: b, waiting: 3 },
      ]);
      expect(nextCursor).toBeNull();
      expect(Date.parse(aggregates[0]?.since ?? "")).toBeLessThan(Date.parse(aggregates[1]?.since ?? ""));
    });

    test("pages through them in order, none twice and none left out", async (context) => {
      if (!desk.store.capabilities.relays) return context.skip(NO_RELAY);
      for (const id of ["a", "b", "c"]) await block(id);
      await desk.table.insert([{ aggregateId: "d" }]);
      await pause("order/d");
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const { aggregates, nextCursor } = await page({ cursor, limit: 1 });
        expect(aggregates.length).toBeLessThanOrEqual(1);
        seen.push(...aggregates.map(({ aggregateKey }) => aggregateKey));
        cursor = nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(seen).toEqual(["order/a", "order/b", "order/c", "order/d"]);
      await expect(page({ cursor: "bogus" })).rejects.toMatchObject({ code: "invalid_input" });
    });

    test("a pause of an aggregate blocks what waits in it, and not what is not there", async () => {
      const [first = ""] = await desk.table.insert([{ aggregateId: "a" }, { aggregateId: "a" }]);
      for (const key of ["order/a", "order/nobody", "without-a-type"]) await pause(key);
      const paused = { aggregateKey: "order/a", kind: "paused", headId: null, waiting: 2 };
      expect((await page()).aggregates).toMatchObject([{ ...paused, pauses: [{ by: ADA.name, reason: REASON }] }]);
      if (!desk.store.capabilities.relays) return;
      await desk.publishAlone(first, failed(AN_HOUR_MS));
      expect((await page()).aggregates).toMatchObject([{ ...paused, headId: first, waiting: 1 }]);
    });

    test("an aggregate that failed before it was paused is blocked since it failed", async (context) => {
      if (!desk.store.capabilities.relays) return context.skip(NO_RELAY);
      const a = await block("a");
      const [before] = (await page()).aggregates;
      await pause("order/a");
      const { aggregates } = await page();
      expect(aggregates).toMatchObject([{ kind: "failing", since: before?.since, headId: a, pauses: [{ by: "ada" }] }]);
    });

    test("an aggregate that the relay holds behind a dead message names it until it is released", async (context) => {
      if (!desk.store.capabilities.relays) return context.skip(NO_RELAY);
      const [dead = "", next = ""] = await desk.table.insert([{ aggregateId: "a" }, { aggregateId: "a" }]);
      const hand = openRelayHand(desk.outbox, "relay-1", { onDead: "hold" });
      await hand.acquire({ leaseMs: AN_HOUR_MS });
      const claim = await hand.claim({ excludeIds: [next] });
      await hand.settle(claim, DEAD);
      await hand.table.close();
      expect((await page()).aggregates).toMatchObject([
        { aggregateKey: "order/a", kind: "held", headId: dead, waiting: 1, pauses: [{ messageId: dead }] },
      ]);
      const subject = { scope: "aggregate", subject: "order/a" } as const;
      await desk.outbox.act.resume({ subject, actor: ADA, reason: REASON, detail: null });
      expect((await page()).aggregates).toEqual([]);
    });

    test("dead-lettering the head lets the rest pass", async (context) => {
      if (!desk.store.capabilities.relays) return context.skip(NO_RELAY);
      const a = await block("a");
      await desk.act("dead-letter", a);
      expect((await page()).aggregates).toEqual([]);
    });
  });
}
