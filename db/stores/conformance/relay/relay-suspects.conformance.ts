import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { failed, PUBLISHED, type RelayHand } from "../open-outbox.fixture.ts";
import { PLAIN, type StoreUnderTest } from "../store-under-test.fixture.ts";
import { claimIds, claimRetries, idsOf, runOut, settleEach, stageRelays, takeOver } from "./relay-stage.fixture.ts";

/** R8: relay deaths with a message alone at the sink, after which the message is dead-lettered. */
const DEATHS_ALONE = 3;

/** Messages that were with a relay when it died. */
export function describeRelaySuspects(engine: StoreUnderTest): void {
  describe(`${engine.kind} as a table whose relays die`, () => {
    const stage = stageRelays(engine, PLAIN);
    let owners = 0;

    /** The relay of a process that has not died yet. */
    const next = async (dead?: RelayHand): Promise<RelayHand> => {
      const hand = stage.relay(`relay-${++owners}`);
      if (dead) await runOut(dead);
      await takeOver(hand);
      return hand;
    };
    const suspectsOf = (hand: RelayHand) => hand.table.listSuspects({ lease: hand.lease });
    /** Two relays die with the first three of six messages in their claims. */
    const isolateThree = async () => {
      const ids = await stage.table.insert(
        Array.from({ length: 6 }, (_, index) => ({ aggregateId: `a${index % 2}`, payload: `{"n":${index}}` })),
      );
      let hand = await next();
      for (let death = 0; death < 2; death += 1) {
        await hand.claim({ limit: 3 });
        hand = await next(hand);
      }
      return { ids, hand };
    };

    test("one death accuses nobody: the messages are claimed as ever", async () => {
      const ids = await stage.table.insert([{}, { aggregateId: "b" }]);
      const first = await next();
      await first.claim();
      const second = await next(first);
      expect(await suspectsOf(second)).toEqual([]);
      expect(second.table.suspectCount).toBe(2);
      expect(await claimIds(second)).toEqual(ids);
    });

    test("after two deaths a message is claimed alone and not beside others", async () => {
      const { ids, hand } = await isolateThree();
      const suspects = await suspectsOf(hand);
      expect(suspects.map(({ id, killsRelays, due }) => [id, killsRelays, due]).sort()).toEqual(
        ids
          .slice(0, 3)
          .map((id) => [id, false, true])
          .sort(),
      );
      expect(suspects.every(({ diedAt }) => diedAt instanceof Date && diedAt.getTime() > 0)).toBe(true);
      expect(await claimIds(hand)).toEqual(ids.slice(3));
      const suspect = suspects.find(({ id }) => id === ids[0])!;
      const claim = await hand.table.claimSuspect({ lease: hand.lease, suspect, token: randomUUID() });
      expect(claim?.messages).toMatchObject([{ id: ids[0], payload: '{"n":0}', attempts: 0 }]);
    });

    test("an aggregate waits behind its quarantined message, and is listed as blocked by it", async () => {
      const { ids } = await isolateThree();
      const { aggregates } = await stage.outbox.read.blocked({ limit: 10 });
      const blocked = aggregates.map(({ aggregateKey, kind, headId, waiting }) => [
        aggregateKey,
        kind,
        headId,
        waiting,
      ]);
      expect(blocked.sort()).toEqual([
        ["order/a0", "suspect", expect.stringMatching(`^(${ids[0]}|${ids[2]})$`), 2],
        ["order/a1", "suspect", ids[1], 2],
      ]);
    });

    test("the earlier message of its aggregate goes before a suspect", async () => {
      const early = await stage.table.beginInsert([{ aggregateId: "a0" }]);
      const { ids, hand } = await isolateThree();
      await early.commit();
      const suspect = (await suspectsOf(hand)).find(({ id }) => id === ids[0])!;
      expect(idsOf(await hand.table.claimSuspect({ lease: hand.lease, suspect, token: randomUUID() }))).toEqual(
        early.ids,
      );
    });

    test("an outcome clears a suspect, and so does another relay's hand", async () => {
      const { ids, hand } = await isolateThree();
      const suspect = (await suspectsOf(hand)).find(({ id }) => id === ids[0])!;
      const claim = await hand.table.claimSuspect({ lease: hand.lease, suspect, token: randomUUID() });
      await settleEach(hand, claim!, () => PUBLISHED);
      await stage.table.publishByOther(ids[1]!);
      expect((await suspectsOf(hand)).map(({ id }) => id)).toEqual([ids[2]]);
    });

    test("a term that its own owner begins anew accuses nobody", async () => {
      await stage.table.insert([{}]);
      const hand = await next();
      for (let term = 0; term < 3; term += 1) {
        await hand.claim();
        await hand.acquire();
      }
      expect(await suspectsOf(hand)).toEqual([]);
      expect(hand.table.suspectCount).toBe(0);
    });

    test("a message that is alone with three relays that die is taken to kill relays, and nobody beside it", async () => {
      const { ids, hand: first } = await isolateThree();
      let hand = first;
      for (let death = 1; death <= DEATHS_ALONE; death += 1) {
        const suspect = (await suspectsOf(hand)).find(({ id }) => id === ids[0])!;
        expect([suspect.killsRelays, suspect.due]).toEqual([false, true]);
        await hand.claim();
        expect(idsOf(await hand.table.claimSuspect({ lease: hand.lease, suspect, token: randomUUID() }))).toEqual([
          ids[0],
        ]);
        hand = await next(hand);
      }
      const suspects = await suspectsOf(hand);
      expect(suspects.map(({ id, killsRelays }) => [id, killsRelays]).at(-1)).toEqual([ids[0], true]);
      expect(suspects.filter(({ killsRelays }) => killsRelays)).toHaveLength(1);
      expect(suspects).toHaveLength(3);
      expect(await claimIds(hand)).toEqual(ids.slice(3));
      expect(await claimRetries(hand)).toBeNull();
    });

    test("each death with one message alone is an attempt of the relay that died", async () => {
      const { ids, hand } = await isolateThree();
      const suspect = (await suspectsOf(hand)).find(({ id }) => id === ids[0])!;
      await hand.table.claimSuspect({ lease: hand.lease, suspect, token: randomUUID() });
      await next(hand);
      const message = await stage.outbox.read.message(ids[0]!);
      expect(message?.row).toMatchObject({ state: "failed", attempts: 1 });
      expect(message?.history.attempts).toMatchObject([
        { outcome: "failed", code: "crash", relay: hand.lease.owner, durationMs: null },
      ]);
      expect((await stage.outbox.read.message(ids[1]!))?.history.attempts).toEqual([]);
    });

    test("an attempt that a death charged is counted after the earlier ones, and what failed first is kept", async () => {
      const [id = ""] = await stage.table.insert([{}]);
      let hand = await next();
      await settleEach(hand, await hand.claim(), () => failed(0));
      const before = await stage.outbox.read.message(id);
      for (let death = 0; death < 2; death += 1) {
        expect(idsOf(await claimRetries(hand))).toEqual([id]);
        hand = await next(hand);
      }
      const [suspect] = await suspectsOf(hand);
      expect(
        idsOf(await hand.table.claimSuspect({ lease: hand.lease, suspect: suspect!, token: randomUUID() })),
      ).toEqual([id]);
      await next(hand);
      const after = await stage.outbox.read.message(id);
      expect(after?.row).toMatchObject({ state: "failed", attempts: 2, lastErrorCode: "crash" });
      expect(before?.history.firstError).not.toBeNull();
      expect(after?.history.firstError).toBe(before?.history.firstError);
    });
  });
}
