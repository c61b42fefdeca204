import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { failed, PUBLISHED } from "../open-outbox.fixture.ts";
import { CUT_SIDES, PLAIN, type StoreUnderTest } from "../store-under-test.fixture.ts";
import { again, cutEverywhere, cutRelay, settleDown } from "./cut.fixture.ts";
import {
  claimIds,
  claimRetries,
  idsOf,
  inFlight,
  type RelayProcess,
  runOut,
  stageRelays,
  takeOver,
} from "./relay-stage.fixture.ts";

/** A connection that is lost at any statement of a claim or of a term. */
export function describeRelayFaults(engine: StoreUnderTest): void {
  describe.each(CUT_SIDES)(`${engine.kind} cut %s a statement`, (when) => {
    const stage = stageRelays(engine, PLAIN, { cuttable: true });
    const insertThree = () => stage.table.insert(["a", "b", "c"].map((aggregateId) => ({ aggregateId })));
    const cutAt = <T>(nth: number, work: () => Promise<T>) => cutRelay({ database: stage.database, nth, when }, work);
    const firstOwner = async () => {
      const owner = await stage.newProcess("relay-0");
      await owner.hand.acquire();
      return owner;
    };
    const publishAll = async ({ hand, outbox }: RelayProcess, ids: readonly string[]) => {
      const claim = await hand.claim();
      expect(idsOf(claim)).toEqual(ids);
      expect((await hand.settle(claim, PUBLISHED)).published).toEqual(ids);
      for (const id of ids) expect((await outbox.read.message(id))?.row.state).toBe("published");
    };
    /** Another process takes the lease of one that has died. */
    const succeed = async (dead: RelayProcess, name: string) => {
      const next = await stage.newProcess(name);
      await again(() => runOut(dead.hand).then(() => true));
      const { orphaned } = await takeOver(next.hand);
      expect(await inFlight(next.outbox)).toBe(0);
      await dead.end();
      return { next, orphaned: orphaned.map(({ id }) => id) };
    };

    test("of a claim: what may have been claimed is orphaned and nothing of it is published or lost", async () => {
      let owner = await firstOwner();
      await cutEverywhere(async (nth) => {
        await settleDown(owner.hand);
        const ids = await insertThree();
        const cut = await cutAt(nth, () => owner.hand.claim());
        if (cut.done) expect(idsOf(cut.value)).toEqual(ids);
        const { next, orphaned } = await succeed(owner, `relay-${nth}`);
        expect([[], ids]).toContainEqual(orphaned);
        if (cut.done) expect(orphaned).toEqual(ids);
        for (const id of ids) expect((await next.outbox.read.message(id))?.row.state).toBe("pending");
        await publishAll(next, ids);
        owner = next;
        return cut;
      });
    });

    test("of a claim: the relay goes on, and a claim that it never heard of does not stay", async () => {
      let owner = await firstOwner();
      await settleDown(owner.hand);
      await cutEverywhere(async (nth) => {
        const { hand } = owner;
        const ids = await insertThree();
        const cut = await cutAt(nth, () => hand.claim());
        const claim = cut.done ? cut.value : await again(() => hand.claim());
        expect(idsOf(claim)).toEqual(ids);
        await stage.database.backdateClaims(60_000);
        await hand.table.endStrayClaims({ lease: hand.lease, knownTokens: [claim.token] });
        expect((await hand.settle(claim, PUBLISHED)).published).toEqual(ids);
        return cut;
      });
      const { next, orphaned } = await succeed(owner, "next");
      expect(orphaned).toEqual([]);
      owner = next;
    });

    test("of a claim of a suspect: ended by its token, it blames nobody for the next death", async () => {
      let owner = await firstOwner();
      const [id = ""] = await stage.table.insert([{}]);
      for (const name of ["second", "third"]) {
        await again(() => owner.hand.claim());
        ({ next: owner } = await succeed(owner, name));
      }
      await cutEverywhere(async (nth) => {
        const { lease, table } = owner.hand;
        const [suspect] = await again(() => table.listSuspects({ lease }));
        await settleDown(owner.hand);
        const token = randomUUID();
        const cut = await cutAt(nth, () => table.claimSuspect({ lease, suspect: suspect!, token }));
        if (cut.done) expect(cut.value).toMatchObject({ token, messages: [{ id }] });
        await again(() => table.settle({ lease, entries: [], endedTokens: [token], afterDoubt: false }));
        const { next, orphaned } = await succeed(owner, `relay-${nth}`);
        expect(orphaned).toEqual([]);
        owner = next;
        return cut;
      });
      expect((await owner.outbox.read.message(id))?.history.attempts).toEqual([]);
    });

    test("of a claim of retries: no attempt is counted, and the next owner tries them again", async () => {
      let owner = await firstOwner();
      await cutEverywhere(async (nth) => {
        const { hand } = owner;
        await settleDown(hand);
        const ids = await insertThree();
        await hand.settle(await hand.claim(), failed(0));
        const cut = await cutAt(nth, () => claimRetries(hand));
        if (cut.done) expect(idsOf(cut.value).sort()).toEqual([...ids].sort());
        const { next, orphaned } = await succeed(owner, `relay-${nth}`);
        if (orphaned.length > 0 || cut.done) expect([...orphaned].sort()).toEqual([...ids].sort());
        expect(await claimIds(next.hand)).toEqual([]);
        const retries = (await claimRetries(next.hand))!;
        expect(idsOf(retries).sort()).toEqual([...ids].sort());
        expect(retries.messages.map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
        await next.hand.settle(retries, PUBLISHED);
        for (const id of ids) {
          const { row, history } = (await next.outbox.read.message(id))!;
          expect([row.state, history.attempts.length]).toEqual(["published", 2]);
        }
        owner = next;
        return cut;
      });
    });

    test("of a takeover: claims of the dead are ended once, and their messages are suspected once", async () => {
      let owner = await firstOwner();
      await cutEverywhere(async (nth) => {
        const ids = await insertThree();
        await owner.hand.claim();
        const taker = await stage.newProcess(`taker-${nth}`);
        await runOut(owner.hand);
        const free = await stage.newProcess(`free-${nth}`);
        // The dead owner's lease has expired once it cannot claim any more.
        await expect
          .poll(() =>
            claimIds(owner.hand).then(
              () => false,
              () => true,
            ),
          )
          .toBe(true);
        const cut = await cutAt(nth, () => taker.hand.acquire({ leaseMs: 1 }));
        const lease = await takeOver(free.hand);
        const orphaned = [...(cut.done ? (cut.value?.orphaned ?? []) : []), ...lease.orphaned].map(({ id }) => id);
        // A lost answer loses only the list of orphaned messages.
        if (cut.done || orphaned.length > 0) expect(orphaned.sort()).toEqual([...ids].sort());
        expect(lease.epoch).toBeGreaterThan(owner.hand.lease.epoch);
        expect(await free.hand.table.listSuspects({ lease })).toEqual([]);
        expect(free.hand.table.suspectCount).toBe(ids.length);
        await publishAll(free, ids);
        await Promise.all([owner.end(), taker.end()]);
        owner = free;
        return cut;
      });
    });

    test("of a renewal: the term lasts, and so do its claims", async () => {
      const { hand } = await firstOwner();
      const other = stage.relay("other");
      await settleDown(hand);
      await cutEverywhere(async (nth) => {
        const ids = await insertThree();
        const claim = await hand.claim();
        const cut = await cutAt(nth, () => hand.table.renewLease(hand.lease));
        if (cut.done) expect(cut.value).toBe(true);
        expect(await again(() => hand.table.renewLease(hand.lease))).toBe(true);
        expect(await other.acquire()).toBeNull();
        expect((await hand.settle(claim, PUBLISHED)).published).toEqual(ids);
        return cut;
      });
    });

    test("of a release: the lease is still its owner's, or free, and its release can be said again", async () => {
      let owner = await firstOwner();
      await cutEverywhere(async (nth) => {
        const { hand } = owner;
        await settleDown(hand);
        const ids = await insertThree();
        await publishAll(owner, ids);
        const cut = await cutAt(nth, () => hand.table.releaseLease(hand.lease));
        const next = await stage.newProcess(`relay-${nth}`);
        if (!cut.done) await again(() => hand.table.releaseLease(hand.lease).then(() => true));
        expect(await next.hand.acquire()).toMatchObject({ owner: `relay-${nth}`, orphaned: [] });
        expect(await hand.table.renewLease(hand.lease)).toBe(false);
        await owner.end();
        owner = next;
        return cut;
      });
    });
  });
}
