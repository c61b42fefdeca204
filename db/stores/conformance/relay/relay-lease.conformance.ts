import { describe, expect, test } from "vitest";
import { PUBLISHED, type RelayHand } from "../open-outbox.fixture.ts";
import { BY_CAPABILITY, PLAIN, type StoreUnderTest } from "../store-under-test.fixture.ts";
import {
  AN_HOUR_MS,
  claimIds,
  dieFor,
  idsOf,
  inFlight,
  isLeaseLost,
  runOut,
  stageRelays,
  takeOver,
} from "./relay-stage.fixture.ts";

const NO_SETTING = `${BY_CAPABILITY} the clock of this engine's leases is nobody's to set back`;

/** Terms of one owner after another. */
export function describeRelayLease(engine: StoreUnderTest): void {
  describe(`${engine.kind} as the keeper of a lease`, () => {
    const stage = stageRelays(engine, PLAIN);

    test("gives the outbox to one owner at a time, and to the next with a higher epoch", async () => {
      const one = await stage.owner("one");
      const two = stage.relay("two");
      expect(await two.acquire()).toBeNull();
      await one.table.releaseLease(one.lease);
      const next = await two.acquire();
      expect(next).toMatchObject({ owner: "two", outbox: stage.table.name, orphaned: [] });
      expect(next?.epoch).toBeGreaterThan(one.lease.epoch);
      expect(await one.acquire()).toBeNull();
    });

    test("renews a live lease, and not one that its owner took again", async () => {
      const hand = await stage.owner();
      const first = hand.lease;
      expect(await hand.table.renewLease(first)).toBe(true);
      const again = await hand.acquire();
      expect(again?.epoch).toBeGreaterThan(first.epoch);
      expect(await hand.table.renewLease(first)).toBe(false);
      expect(await hand.table.renewLease(hand.lease)).toBe(true);
    });

    test("an expired lease is taken over, and its owner can neither renew nor claim nor release what is another's", async () => {
      const [dead, next] = [await stage.owner("dead"), stage.relay("next")];
      await stage.table.insert([{}]);
      await dieFor(dead, next);
      expect(await dead.table.renewLease(dead.lease)).toBe(false);
      expect(await isLeaseLost(() => dead.claim())).toBe(true);
      expect(await isLeaseLost(() => dead.table.claimDueRetries({ lease: dead.lease, limit: 1, excludeIds: [] }))).toBe(
        true,
      );
      await dead.table.releaseLease(dead.lease);
      expect(await next.table.renewLease(next.lease)).toBe(true);
      expect(await claimIds(next)).toHaveLength(1);
    });

    test("no claim is made under a lease that has run out, and what ran out unnoticed is renewed", async () => {
      const hand = await stage.owner();
      await stage.table.insert([{}]);
      await runOut(hand);
      await expect.poll(() => isLeaseLost(() => claimIds(hand))).toBe(true);
      expect(await hand.table.renewLease(hand.lease)).toBe(true);
      expect(await claimIds(hand)).toHaveLength(1);
    });

    const seenTerm = async (hand: RelayHand, owner: RelayHand) => {
      const { terms } = await hand.table.readShares({ silentMs: 4000 });
      return terms?.find((term) => term.owner === owner.lease.owner);
    };
    /** As when the database's clock was set back. */
    const expireLate = (hand: RelayHand) => hand.table.renewLease({ ...hand.lease, leaseMs: AN_HOUR_MS });

    test("a term that was not renewed since it was seen can be ended, and is then over", async (context) => {
      if (engine.endsTerms === false) return context.skip(NO_SETTING);
      const [dead, next] = [await stage.owner("dead"), stage.relay("next")];
      const ids = await stage.table.insert([{}]);
      const claim = await dead.claim();
      await expireLate(dead);
      const term = await seenTerm(next, dead);
      expect(term).toMatchObject({ epoch: dead.lease.epoch, leaseMs: dead.lease.leaseMs });
      expect(await next.acquire()).toBeNull();
      expect(await next.table.endTerm?.(term!)).toBe(true);
      const lease = await takeOver(next);
      expect(lease.epoch).toBeGreaterThan(dead.lease.epoch);
      expect(lease.orphaned.map(({ id }) => id)).toEqual(ids);
      expect(await dead.table.renewLease(dead.lease)).toBe(false);
      expect(await isLeaseLost(() => dead.claim())).toBe(true);
      expect((await dead.settle(claim, PUBLISHED)).fenced).toEqual(ids);
      expect(await next.table.endTerm?.(term!)).toBe(false);
      expect(await next.table.renewLease(next.lease)).toBe(true);
    });

    test("a term that was renewed since it was seen goes on", async (context) => {
      if (engine.endsTerms === false) return context.skip(NO_SETTING);
      const [owner, other] = [await stage.owner("one"), stage.relay("two")];
      await expireLate(owner);
      const term = await seenTerm(other, owner);
      expect(await owner.table.renewLease(owner.lease)).toBe(true);
      expect(await other.table.endTerm?.(term!)).toBe(false);
      expect(await other.acquire()).toBeNull();
      await stage.table.insert([{}]);
      expect(await claimIds(owner)).toHaveLength(1);
    });

    test("what an owner claimed is not marked once someone else has the lease", async () => {
      const [dead, next] = [await stage.owner("dead"), stage.relay("next")];
      const ids = await stage.table.insert([{}, { aggregateId: "b" }]);
      const claim = await dead.claim();
      const rows = await Promise.all(ids.map((id) => stage.table.row(id)));
      await dieFor(dead, next);
      expect(await dead.settle(claim, PUBLISHED)).toEqual({
        published: [],
        fenced: ids,
        foreign: [],
        replaced: [],
        latenciesMs: [],
      });
      expect(await Promise.all(ids.map((id) => stage.table.row(id)))).toEqual(rows);
      expect(await claimIds(next)).toEqual(ids);
    });

    test("a released lease fences its claims once another owner has begun", async () => {
      const [one, two] = [await stage.owner("one"), stage.relay("two")];
      const ids = await stage.table.insert([{}]);
      const claim = await one.claim();
      await one.table.releaseLease(one.lease);
      const next = await two.acquire();
      expect(next?.orphaned.map(({ id, owner }) => [id, owner])).toEqual([[ids[0], "one"]]);
      expect((await one.settle(claim, PUBLISHED)).fenced).toEqual(ids);
    });

    test("a takeover ends the claims of the dead and returns their messages", async () => {
      const [dead, next] = [await stage.owner("dead"), stage.relay("next")];
      const ids = await stage.table.insert([{}, { aggregateId: "b" }, { aggregateId: null }]);
      await dead.claim({ limit: 2 });
      await dead.claim({ excludeIds: ids.slice(0, 2) });
      const { orphaned } = await dieFor(dead, next);
      expect(orphaned.map(({ id }) => id).sort()).toEqual([...ids].sort());
      for (const { alone, owner, startedAt } of orphaned) {
        expect([alone, owner]).toEqual([false, "dead"]);
        expect(Date.parse(startedAt)).not.toBeNaN();
      }
      expect(await inFlight(stage.outbox)).toBe(0);
    });

    test("an owner that begins a new term gets back what its last one left over", async () => {
      const hand = await stage.owner("one");
      const ids = await stage.table.insert([{}]);
      const claim = await hand.claim();
      const again = await hand.acquire();
      expect(again?.orphaned.map(({ id, owner }) => [id, owner])).toEqual([[ids[0], "one"]]);
      expect((await hand.settle(claim, PUBLISHED)).fenced).toEqual(ids);
      expect((await hand.acquire())?.orphaned).toEqual([]);
    });

    test("of many that want a free lease at once, one gets it", async () => {
      const hands = Array.from({ length: 6 }, (_, index) => stage.relay(`relay-${index}`));
      const taken = await Promise.all(hands.map((hand) => hand.acquire()));
      expect(taken.filter((lease) => lease !== null).length).toBeLessThanOrEqual(1);
      await takeOver(hands.find((_, index) => taken[index]) ?? hands[0]!);
      expect((await Promise.all(hands.map((hand) => hand.acquire()))).filter(Boolean).length).toBe(1);
    });

    test("of a renewal and a takeover of the same moment one succeeds", async () => {
      let [owner, other] = [await stage.owner("one"), stage.relay("two")];
      for (let round = 0; round < 10; round += 1) {
        await runOut(owner);
        const [renewed, next] = await Promise.all([owner.table.renewLease(owner.lease), other.acquire()]);
        expect(renewed && next !== null).toBe(false);
        if (next) [owner, other] = [other, owner];
        expect(await owner.table.renewLease(owner.lease)).toBe(true);
      }
    });

    test("claims of a term that its owner knows nothing of are ended after a while, and no others", async () => {
      const hand = await stage.owner();
      const ids = await stage.table.insert([{}, { aggregateId: "b" }]);
      const [known, stray] = [await hand.claim({ limit: 1 }), await hand.claim({ excludeIds: ids.slice(0, 1) })];
      const end = () => hand.table.endStrayClaims({ lease: hand.lease, knownTokens: [known.token] });
      await end();
      expect(await inFlight(stage.outbox)).toBe(2);
      await stage.database.backdateClaims(60_000);
      await end();
      expect(await inFlight(stage.outbox)).toBe(1);
      expect((await hand.settle(stray, PUBLISHED)).fenced).toEqual(idsOf(stray));
      expect((await hand.settle(known, PUBLISHED)).published).toEqual(idsOf(known));
    });
  });
}
