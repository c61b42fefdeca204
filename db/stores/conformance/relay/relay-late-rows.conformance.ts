import { describe, expect, test } from "vitest";
import type { Horizon } from "../../port/relay/claim.ts";
import { PUBLISHED, READ_ALL, type RelayHand } from "../open-outbox.fixture.ts";
import { NO_WRITERS, PLAIN, type StoreUnderTest } from "../store-under-test.fixture.ts";
import { claimIds, idsOf, stageRelays } from "./relay-stage.fixture.ts";

/** Rows committed after later ones were read: the low-water mark may pass only places where no row can still appear. */
export function describeRelayLateRows(engine: StoreUnderTest): void {
  describe(`${engine.kind} as a table in which rows are committed late`, () => {
    const stage = stageRelays(engine, PLAIN);

    const read = (hand: RelayHand) => hand.table.claimNew({ ...READ_ALL, lease: hand.lease, wantWriters: true });
    /** Whether every writer that could still commit below the rows read at `earlier` has ended. */
    const mayPass = async (hand: RelayHand, earlier: Horizon) => (await read(hand)).horizon.hasPassed(earlier);

    test("a row that was committed late is claimed, and the mark waits for it", async (context) => {
      if (engine.tellsWriters === false) return context.skip(NO_WRITERS);
      const hand = await stage.owner();
      const early = await stage.table.beginInsert([{ aggregateId: "a" }]);
      const [later] = await stage.table.insert([{ aggregateId: "b" }]);
      const first = await read(hand);
      expect(idsOf(first.claim)).toEqual([later]);
      await hand.settle(first.claim!, PUBLISHED);
      expect(await mayPass(hand, first.horizon)).toBe(false);
      await early.commit();
      expect(await claimIds(hand)).toEqual(early.ids);
      await expect.poll(() => mayPass(hand, first.horizon)).toBe(true);
    });

    test("the late row stands below what was published, by its place in the order", async () => {
      const hand = await stage.owner();
      const early = await stage.table.beginInsert([{ aggregateId: "a" }]);
      await stage.table.insert([{ aggregateId: "b" }]);
      const published = await hand.claim();
      await hand.settle(published, PUBLISHED);
      await early.commit();
      const [late] = (await hand.claim()).messages;
      expect(hand.table.compareOrder(late!.order, published.messages[0]!.order)).toBeLessThan(0);
      expect(await claimIds(hand, { after: published.messages[0]!.order })).toEqual([]);
      expect(await hand.table.withHistory(early.ids)).toEqual([]);
    });

    test("the mark waits for a writer that takes its row back in the end, and passes then", async (context) => {
      if (engine.tellsWriters === false) return context.skip(NO_WRITERS);
      const hand = await stage.owner();
      const early = await stage.table.beginInsert([{}]);
      await stage.table.insert([{}]);
      const { horizon } = await read(hand);
      expect(await mayPass(hand, horizon)).toBe(false);
      await early.rollback();
      await expect.poll(() => mayPass(hand, horizon)).toBe(true);
      expect(await claimIds(hand)).not.toContain(early.ids[0]);
    });

    test("writers that begin after the read do not keep the mark from passing, though one is open at any time", async (context) => {
      if (engine.tellsWriters === false) return context.skip(NO_WRITERS);
      const hand = await stage.owner();
      const { horizon } = await read(hand);
      let writer = await stage.table.beginInsert([{}]);
      const whileOneIsOpen = async () => {
        const next = await stage.table.beginInsert([{}]);
        await writer.rollback();
        writer = next;
        return mayPass(hand, horizon);
      };
      await expect.poll(whileOneIsOpen).toBe(true);
      await writer.rollback();
    });

    test("the mark waits for a writer of whom nothing was seen, and whom nobody followed", async (context) => {
      if (engine.tellsWriters === false) return context.skip(NO_WRITERS);
      const hand = await stage.owner();
      const early = await stage.table.beginInsert([{}]);
      const first = await read(hand);
      expect(first.claim).toBeNull();
      expect(await mayPass(hand, first.horizon)).toBe(false);
      await early.commit();
      await expect.poll(() => mayPass(hand, first.horizon)).toBe(true);
    });

    test("looking ahead sees as far as a claim does", async (context) => {
      if (engine.tellsWriters === false) return context.skip(NO_WRITERS);
      const hand = await stage.owner();
      const early = await stage.table.beginInsert([{}]);
      const look = () => hand.table.lookAhead({ lease: hand.lease, after: null, excludeIds: [] });
      const { horizon } = await look();
      expect((await look()).horizon.hasPassed(horizon)).toBe(false);
      await early.commit();
      await expect.poll(async () => (await look()).horizon.hasPassed(horizon)).toBe(true);
    });
  });
}
