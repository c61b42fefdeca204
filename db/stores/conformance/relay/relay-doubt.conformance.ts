import { describe, expect, test } from "vitest";
import type { Claim } from "../../port/relay/claim.ts";
import type { MessageOutcome, SettleResult } from "../../port/relay/settle.ts";
import { DEAD, failed, PUBLISHED, type RelayHand } from "../open-outbox.fixture.ts";
import { contrastsOf, NO_ROW_LOCKS, type StoreUnderTest } from "../store-under-test.fixture.ts";
import { claimIds, claimRetries, idsOf, inFlight, stageRelays } from "./relay-stage.fixture.ts";

/** Settles that are written twice, and messages that another relay has published. */
export function describeRelayDoubt(engine: StoreUnderTest): void {
  describe.each(contrastsOf(engine, "status"))(`${engine.kind} after a settle in doubt, with $name`, (layout) => {
    const stage = stageRelays(engine, layout);

    /**
     * Settles some messages of a claim that stays open, as the relay does while others of the claim are being
     * published.
     */
    const settlePart = (
      hand: RelayHand,
      claim: Claim,
      outcome: MessageOutcome,
      afterDoubt: boolean,
    ): Promise<SettleResult> =>
      hand.table.settle({
        lease: hand.lease,
        entries: claim.messages.map((message) => ({ token: claim.token, message, outcome })),
        endedTokens: [],
        afterDoubt,
      });
    const claimTwo = async () => {
      const hand = await stage.owner();
      const ids = (await stage.table.insert([{}, { aggregateId: "b" }])) as [string, string];
      return { hand, ids, claim: await hand.claim() };
    };
    const attemptsOf = async (id: string) => {
      const found = await stage.outbox.read.message(id);
      return [found?.row.attempts, found?.history.attempts.length];
    };

    test("what was marked before is published by us and not by another", async () => {
      const { hand, ids, claim } = await claimTwo();
      const first = { ...claim, messages: claim.messages.slice(0, 1) };
      await settlePart(hand, first, PUBLISHED, false);
      const again = await settlePart(hand, claim, PUBLISHED, true);
      expect(again).toMatchObject({ published: ids, fenced: [], foreign: [] });
      expect(await claimIds(hand)).toEqual([]);
    });

    test("a failure that is written twice burns one attempt", async () => {
      const { hand, ids, claim } = await claimTwo();
      await settlePart(hand, claim, failed(0), false);
      const again = await settlePart(hand, claim, failed(0), true);
      expect(again).toMatchObject({ published: [], fenced: ids, foreign: [] });
      for (const id of ids) expect(await attemptsOf(id)).toEqual([1, 1]);
    });

    test("a death that is written twice is one", async () => {
      const { hand, ids, claim } = await claimTwo();
      await settlePart(hand, claim, DEAD, false);
      const again = await settlePart(hand, claim, DEAD, true);
      expect(again).toMatchObject({ published: [], fenced: ids, foreign: [] });
      expect((await stage.outbox.read.figures()).counts.dead).toEqual({ value: 2, precision: "exact" });
      for (const id of ids) expect((await stage.outbox.read.message(id))?.history.attempts).toHaveLength(1);
    });

    test("a settle that ended its claim and is written again writes nothing", async () => {
      const { hand, ids, claim } = await claimTwo();
      await hand.settle(claim, failed(0));
      expect(await hand.settle(claim, failed(0), { afterDoubt: true })).toMatchObject({ published: [], fenced: ids });
      for (const id of ids) expect(await attemptsOf(id)).toEqual([1, 1]);
      expect(await inFlight(stage.outbox)).toBe(0);
      expect(idsOf(await claimRetries(hand)).sort()).toEqual([...ids].sort());
    });

    test("what another relay has published meanwhile is told as foreign, and is not marked twice", async () => {
      const { hand, ids, claim } = await claimTwo();
      await stage.table.publishByOther(ids[0]);
      const row = await stage.table.row(ids[0]);
      const result = await hand.settle(claim, PUBLISHED);
      expect(result).toMatchObject({ published: [ids[1]], foreign: [ids[0]], fenced: [] });
      expect(result.latenciesMs).toHaveLength(1);
      expect(await stage.table.row(ids[0])).toEqual(row);
      expect(await claimIds(hand)).toEqual([]);
    });

    test.each([
      ["failed", failed(0)],
      ["dead", DEAD],
    ] as const)("what another relay has published is not called %s", async (_, outcome) => {
      const { hand, ids, claim } = await claimTwo();
      await stage.table.publishByOther(ids[0]);
      const row = await stage.table.row(ids[0]);
      const result = await hand.settle(claim, outcome);
      expect(result).toMatchObject({ published: [], foreign: [ids[0]], fenced: [] });
      expect(await stage.table.row(ids[0])).toEqual(row);
      expect((await stage.outbox.read.message(ids[0]))?.row.state).toBe(
        layout.lifecycle === "delete" ? undefined : "published",
      );
      expect(idsOf(await claimRetries(hand))).not.toContain(ids[0]);
    });

    test("a retry that another relay has published is forgotten, not tried", async () => {
      const { hand, ids, claim } = await claimTwo();
      await hand.settle(claim, failed(0));
      await stage.table.publishByOther(ids[0]);
      expect(idsOf(await claimRetries(hand))).toEqual([ids[1]]);
      expect((await hand.table.listRetries({ lease: hand.lease })).map(({ id }) => id)).toEqual([ids[1]]);
    });

    test("a settle waits for a row that another session holds, and is written in the end", async (context) => {
      if (!stage.table.lockRow) return context.skip(NO_ROW_LOCKS);
      const { hand, ids, claim } = await claimTwo();
      const lock = await stage.table.lockRow(ids[0]);
      let settled: SettleResult | null = null;
      const trying = (async () => {
        // A lock that is not released in time refuses the settle; the relay then writes it again.
        for (;;) {
          settled = await hand.settle(claim, PUBLISHED).catch((error: { trouble?: string }) => {
            if (error.trouble === "locked") return null;
            throw error;
          });
          if (settled) return;
        }
      })();
      expect(await inFlight(stage.outbox)).toBe(2);
      expect(settled).toBeNull();
      await lock.release();
      await trying;
      expect(settled).toMatchObject({ published: ids });
    });
  });
}
