import { describe, expect, test } from "vitest";
import type { Claim } from "../../port/relay/claim.ts";
import type { MessageOutcome } from "../../port/relay/settle.ts";
import type { OutboxStore } from "../../port/store.ts";
import { DEAD, failed, GIVEN_BACK, PUBLISHED, type RelayHand } from "../open-outbox.fixture.ts";
import { byName, CUT_SIDES, type StoreUnderTest } from "../store-under-test.fixture.ts";
import { again, cutEverywhere, cutRelay, settleDown } from "./cut.fixture.ts";
import {
  claimIds,
  claimRetries,
  idsOf,
  inFlight,
  type RelayProcess,
  runOut,
  settleEach,
  stageRelays,
  takeOver,
} from "./relay-stage.fixture.ts";

/** One message of each outcome, in this order. */
const OUTCOMES: readonly MessageOutcome[] = [PUBLISHED, failed(0), DEAD, GIVEN_BACK];

/** A connection that is lost at any statement of a settle: everything was written, or nothing. */
export function describeRelaySettleFaults(engine: StoreUnderTest): void {
  // A table that keeps outcomes in its own columns as well as in ours: the longest settle.
  const layouts = [byName("timestamp and attempts")];
  const cases = layouts.flatMap((layout) => CUT_SIDES.map((when) => ({ layout, name: layout.name, when })));

  describe.each(cases)(`${engine.kind} cut $when a statement of a settle, with $name`, ({ layout, when }) => {
    const stage = stageRelays(engine, layout, { cuttable: true });
    const marked = layout.lifecycle === "delete" ? "gone" : "published";
    const UNTOUCHED = OUTCOMES.map(() => ["pending", 0, 0]);
    const APPLIED = [
      [marked, 0, 0],
      ["failed", 1, 1],
      ["dead", 1, 1],
      ["pending", 0, 0],
    ];

    /** Of each message: its state, the attempts that count, and those in the history. */
    const factsOf = (outbox: OutboxStore, ids: readonly string[]) =>
      Promise.all(
        ids.map(async (id) => {
          const message = await outbox.read.message(id);
          if (!message) return ["gone", 0, 0];
          const { state, attempts } = message.row;
          const history = message.history.attempts.length;
          // If only the number of attempts marks a message dead, the table's count is raised to the limit; the history
          // is not.
          return [state, state === "dead" ? history : state === "published" ? 0 : (attempts ?? 0), history];
        }),
      );
    const insertFour = () => stage.table.insert(OUTCOMES.map((_, index) => ({ aggregateId: `a${index}` })));
    const settleAll = (hand: RelayHand, claim: Claim, afterDoubt: boolean) => {
      const outcomes = new Map(claim.messages.map(({ id }, index) => [id, OUTCOMES[index] ?? GIVEN_BACK]));
      return settleEach(hand, claim, ({ id }) => outcomes.get(id) ?? GIVEN_BACK, { afterDoubt });
    };
    /** Publishes all remaining messages, each once. */
    const drain = async (hand: RelayHand, ids: readonly string[], applied: boolean) => {
      const [, retry, , rest] = ids;
      const left = await hand.claim();
      expect(idsOf(left)).toEqual(applied ? [rest] : ids);
      expect((await hand.settle(left, PUBLISHED)).published).toEqual(idsOf(left));
      const retries = await claimRetries(hand);
      expect(retries?.messages.map(({ id, attempts }) => [id, attempts]) ?? []).toEqual(applied ? [[retry, 1]] : []);
      if (retries) expect((await hand.settle(retries, PUBLISHED)).published).toEqual([retry]);
      expect(await claimIds(hand)).toEqual([]);
      expect(await claimRetries(hand)).toBeNull();
    };
    const expectPublished = async (outbox: OutboxStore, ids: readonly string[], applied: boolean) => {
      const states = (await factsOf(outbox, ids)).map(([state]) => state);
      expect(states).toEqual([marked, marked, applied ? "dead" : marked, marked]);
      expect(await inFlight(outbox)).toBe(0);
    };

    test("whoever takes the lease over finds all outcomes written or none, and publishes the rest", async () => {
      let owner: RelayProcess = await stage.newProcess("relay-0");
      await owner.hand.acquire();
      await cutEverywhere(async (nth) => {
        const { hand } = owner;
        await settleDown(hand);
        const ids = await insertFour();
        const claim = await hand.claim();
        expect(idsOf(claim)).toEqual(ids);
        const cut = await cutRelay({ database: stage.database, nth, when }, () => settleAll(hand, claim, false));
        const next = await stage.newProcess(`relay-${nth}`);
        await again(() => runOut(hand).then(() => true));
        const { orphaned } = await takeOver(next.hand);
        const facts = await factsOf(next.outbox, ids);
        expect([UNTOUCHED, APPLIED]).toContainEqual(facts);
        const applied = facts[1]?.[0] === "failed";
        if (cut.done) expect(applied).toBe(true);
        expect(orphaned.map(({ id }) => id)).toEqual(applied ? [] : ids);
        await drain(next.hand, ids, applied);
        await expectPublished(next.outbox, ids, applied);
        await owner.end();
        owner = next;
        return cut;
      });
    });

    test("the same relay writes the outcomes again after the doubt, and each is there once", async () => {
      const { hand } = await stage.newProcess("relay");
      await hand.acquire();
      await settleDown(hand);
      await cutEverywhere(async (nth) => {
        const ids = await insertFour();
        const claim = await hand.claim();
        const cut = await cutRelay({ database: stage.database, nth, when }, () => settleAll(hand, claim, false));
        if (!cut.done) await again(() => settleAll(hand, claim, true));
        const { outbox } = await stage.newProcess("reader");
        expect(await factsOf(outbox, ids)).toEqual(APPLIED);
        await drain(hand, ids, true);
        await expectPublished(outbox, ids, true);
        return cut;
      });
      const next = await stage.newProcess("next");
      await runOut(hand);
      expect((await takeOver(next.hand)).orphaned).toEqual([]);
    });
  });
}
