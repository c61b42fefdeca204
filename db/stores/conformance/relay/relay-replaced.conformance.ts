import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Claim } from "../../port/relay/claim.ts";
import type { MessageOutcome } from "../../port/relay/settle.ts";
import { DEAD, failed, PUBLISHED, type RelayHand } from "../open-outbox.fixture.ts";
import { layoutsOf, type NewRow, type StoreUnderTest } from "../store-under-test.fixture.ts";
import { claimIds, claimRetries, dieFor, idsOf, settleEach, stageRelays } from "./relay-stage.fixture.ts";

const OUTCOMES: readonly (readonly [string, MessageOutcome])[] = [
  ["published", PUBLISHED],
  ["failed", failed(0)],
  ["dead", DEAD],
];
const LONG_AGO = "2026-01-01T00:00:00.000Z";

/**
 * Rows that other programs replace or change while they are in flight: a new row may reuse a key, as after TRUNCATE.
 */
export function describeRelayReplaced(engine: StoreUnderTest): void {
  describe.each(layoutsOf(engine, engine.layouts))(
    `${engine.kind} with rows replaced in flight, with $name`,
    (layout) => {
      const stage = stageRelays(engine, layout);

      /** Two claimed messages; then a new row has the key of the first. */
      const claimAndReplace = async (before: NewRow = {}, after: NewRow = { payload: '{"n":2}' }) => {
        const hand = await stage.owner();
        const ids = (await stage.table.insert([before, { aggregateId: "b" }])) as [string, string];
        const claim = await hand.claim();
        await stage.table.remove(ids[0]);
        await stage.table.insert([{ ...after, id: ids[0] }]);
        return { hand, ids, claim, row: await stage.table.row(ids[0]) };
      };
      const payloads = async (hand: RelayHand) => {
        const { messages } = await hand.claim();
        return messages.map(({ id, payload }) => [id, JSON.parse(payload ?? "null")]);
      };
      const settle = (hand: RelayHand, claim: Claim, outcome: MessageOutcome, more = {}) =>
        settleEach(hand, claim, () => outcome, more);

      test.each(OUTCOMES)("a new row of a key whose message was %s is left as it is, and sent", async (_, outcome) => {
        const { hand, ids, claim, row } = await claimAndReplace();
        const result = await settle(hand, claim, outcome);
        expect(result).toMatchObject({ foreign: [ids[0]], fenced: [], replaced: [{ id: ids[0] }] });
        expect(result.published).toEqual(outcome === PUBLISHED ? [ids[1]] : []);
        expect(await stage.table.row(ids[0])).toEqual(row);
        expect((await stage.outbox.read.message(ids[0]))?.row).toMatchObject({ state: "pending" });
        expect(idsOf(await claimRetries(hand))).not.toContain(ids[0]);
        expect(await payloads(hand)).toEqual([[ids[0], { n: 2 }]]);
      });

      test("a new row with the content of the old one is sent, too", async () => {
        const { hand, ids, claim } = await claimAndReplace({ createdAt: LONG_AGO }, {});
        expect(await settle(hand, claim, PUBLISHED)).toMatchObject({ published: [ids[1]], replaced: [{ id: ids[0] }] });
        expect(await claimIds(hand)).toEqual([ids[0]]);
      });

      test("a new row in the place of one that was marked before a doubtful commit is sent", async () => {
        const hand = await stage.owner();
        const [id = ""] = await stage.table.insert([{}]);
        const claim = await hand.claim();
        const [message] = claim.messages;
        const entries = [{ token: claim.token, message: message!, outcome: PUBLISHED }];
        await hand.table.settle({ lease: hand.lease, entries, endedTokens: [], afterDoubt: false });
        await stage.table.remove(id);
        await stage.table.insert([{ id, payload: '{"n":2}' }]);
        const again = await settle(hand, claim, PUBLISHED, { afterDoubt: true });
        expect(again).toMatchObject({ published: [id], foreign: [], replaced: [{ id }] });
        expect(await claimIds(hand)).toEqual([id]);
      });

      test.each(OUTCOMES)(
        "a claimed row that another program has touched is still the one that was %s",
        async (_, outcome) => {
          const hand = await stage.owner();
          const ids = (await stage.table.insert([{}, { aggregateId: "b" }])) as [string, string];
          const claim = await hand.claim();
          await stage.table.touch(ids[0]);
          const result = await settle(hand, claim, outcome);
          expect(result).toMatchObject({ foreign: [], fenced: [], replaced: [] });
          expect(result.published).toEqual(outcome === PUBLISHED ? ids : []);
          expect(await claimIds(hand)).toEqual([]);
        },
      );

      test.each(OUTCOMES)(
        "a retried message whose row was replaced, %s, leaves no record behind",
        async (_, outcome) => {
          const hand = await stage.owner();
          const [id = ""] = await stage.table.insert([{}]);
          await settle(hand, await hand.claim(), failed(0));
          const claim = (await claimRetries(hand))!;
          await stage.table.remove(id);
          await stage.table.insert([{ id, payload: '{"n":2}' }]);
          expect(await settle(hand, claim, outcome)).toMatchObject({ published: [], replaced: [{ id }] });
          expect(await hand.table.listRetries({ lease: hand.lease })).toEqual([]);
          expect(await payloads(hand)).toEqual([[id, { n: 2 }]]);
        },
      );

      let relays = 0;
      const suspectsOf = (hand: RelayHand) => hand.table.listSuspects({ lease: hand.lease });
      /** The relay dies, and another has its lease. */
      const successor = async (dead: RelayHand) => {
        const next = stage.relay(`next-${++relays}`);
        await dieFor(dead, next);
        return next;
      };
      /** A message with which relays have died: twice in a claim, and `alone` times with nothing else in flight. */
      const suspected = async (alone: number) => {
        let hand = await stage.owner();
        const [id = ""] = await stage.table.insert([{}]);
        for (let death = 0; death < 2; death += 1) {
          await hand.claim();
          hand = await successor(hand);
        }
        for (let death = 0; death < alone; death += 1) {
          const [suspect] = await suspectsOf(hand);
          await hand.table.claimSuspect({ lease: hand.lease, suspect: suspect!, token: randomUUID() });
          hand = await successor(hand);
        }
        return { hand, id, suspect: (await suspectsOf(hand))[0]! };
      };
      const replace = async (id: string) => {
        await stage.table.remove(id);
        await stage.table.insert([{ id, payload: '{"n":2}' }]);
      };

      test.each([0, 3])("a new row in the place of one that killed relays, %i times alone, is sent", async (alone) => {
        const { hand, id, suspect } = await suspected(alone);
        expect(suspect).toMatchObject({ id, killsRelays: alone === 3 });
        await replace(id);
        expect(await hand.table.claimSuspect({ lease: hand.lease, suspect, token: randomUUID() })).toBeNull();
        expect(await suspectsOf(hand)).toEqual([]);
        expect(hand.table.suspectCount).toBe(0);
      });

      test("a new row is not accused of the death of a relay that had the earlier one of its key", async () => {
        const { hand, id, suspect } = await suspected(2);
        expect(idsOf(await hand.table.claimSuspect({ lease: hand.lease, suspect, token: randomUUID() }))).toEqual([id]);
        await replace(id);
        const next = await successor(hand);
        expect(await suspectsOf(next)).toEqual([]);
        // The two earlier deaths are in the history of the id.
        expect((await stage.outbox.read.message(id))?.history.attempts).toHaveLength(2);
      });

      test("a message that another program has touched is still the one that killed relays", async () => {
        const { hand, id } = await suspected(1);
        await stage.table.touch(id);
        const [suspect] = await suspectsOf(hand);
        expect(suspect).toMatchObject({ id });
        expect(
          idsOf(await hand.table.claimSuspect({ lease: hand.lease, suspect: suspect!, token: randomUUID() })),
        ).toEqual([id]);
        const next = await successor(hand);
        expect((await stage.outbox.read.message(id))?.history.attempts).toHaveLength(2);
        expect(await suspectsOf(next)).toMatchObject([{ id, killsRelays: false }]);
      });
    },
  );
}
