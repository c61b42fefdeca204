import { beforeEach, describe, expect, test } from "vitest";
import { LeaseLostError } from "../../port/relay/lease.ts";
import { failed, PUBLISHED } from "../open-outbox.fixture.ts";
import { contrastsOf, NO_COLUMNS, type StoreUnderTest } from "../store-under-test.fixture.ts";
import { claimIds, claimRetries, stageRelays } from "./relay-stage.fixture.ts";

/** A table that is no longer the one that the mapping was accepted for: nothing is claimed, nothing is marked. */
export function describeRelayChangedTable(engine: StoreUnderTest): void {
  const contrasts = contrastsOf(engine, "delete");
  describe.each(contrasts)(`${engine.kind} as a table that a deployment has changed, with $name`, (layout) => {
    const stage = stageRelays(engine, layout);
    beforeEach(({ skip }) => skip(!stage.table.renamePayloadColumn, NO_COLUMNS));

    test("ends the term: no claim of new messages, none of retries, no renewal, no new term", async () => {
      const hand = await stage.owner();
      await stage.table.insert([{}]);
      await hand.settle(await hand.claim(), failed(0));
      await stage.table.insert([{ aggregateId: "b" }]);
      await stage.table.renamePayloadColumn?.();
      await expect(claimIds(hand)).rejects.toThrow(LeaseLostError);
      await expect(claimRetries(hand)).rejects.toThrow(LeaseLostError);
      expect(await hand.table.renewLease(hand.lease)).toBe(false);
      await expect(stage.relay("next").acquire()).rejects.toThrow(LeaseLostError);
    });

    test.each([
      ["published", PUBLISHED],
      ["failed", failed(0)],
    ] as const)("fences what is settled as %s: no row is marked", async (_, outcome) => {
      const hand = await stage.owner();
      const ids = await stage.table.insert([{}, { aggregateId: "b" }]);
      const claim = await hand.claim();
      await stage.table.renamePayloadColumn?.();
      const before = await Promise.all(ids.map((id) => stage.table.row(id)));
      const settled = await hand.settle(claim, outcome).catch((error: unknown) => {
        if (error instanceof LeaseLostError) return null;
        throw error;
      });
      if (settled) expect(settled).toMatchObject({ published: [], fenced: ids });
      const after = await Promise.all(ids.map((id) => stage.table.row(id)));
      expect(after).toEqual(before);
      expect(after).not.toContain(null);
    });
  });
}
