import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { variants } from "#tests/test-depth.ts";
import { DEAD, failed, READ_ALL } from "./open-outbox.fixture.ts";
import { known, type OperatorDesk, openDesk } from "./operator-desk.fixture.ts";
import { BARE, contrastsOf, type StoreUnderTest } from "./store-under-test.fixture.ts";

/** Requirements of every engine for a relay whose messages an operator retries. */
export function describeRetries(engine: StoreUnderTest): void {
  describe.each(variants(contrastsOf(engine, "status"), [BARE]))(
    `retries of ${engine.kind} on a table with $name`,
    (layout) => {
      let desk: OperatorDesk;
      beforeEach(async () => {
        desk = await openDesk(engine, layout);
      });
      afterEach(() => desk.close());

      test.each(["failed", "dead"] as const)(
        "a retried %s message is due at once, with no attempt counted",
        async (state) => {
          const id = await desk.put(state);
          await desk.act("retry", id);
          expect((await desk.outbox.read.message(id))?.row).toMatchObject({ state: "pending", attempts: 0 });
          const { table, lease } = await desk.relay();
          const retries = await table.claimDueRetries({ lease, limit: 10, excludeIds: [] });
          const fresh = await table.claimNew({ ...READ_ALL, lease });
          const claimed = [...(retries?.messages ?? []), ...(fresh.claim?.messages ?? [])];
          expect(claimed.map((message) => [message.id, message.attempts])).toEqual([[id, 0]]);
        },
      );

      test("a retry takes a message out of a claim that has expired, and leaves the others in it", async () => {
        const [id = "", other = ""] = await desk.table.insert([{}, {}]);
        const hand = await desk.relay();
        await hand.claim();
        await expect(desk.act("retry", id)).rejects.toMatchObject({ code: "in_flight" });
        await hand.table.releaseLease(hand.lease);
        const found = async (one: string) => (await desk.outbox.read.message(one))?.row;
        expect(await found(id)).toMatchObject({ state: "pending", claimExpired: true });
        expect(await desk.act("retry", id)).toMatchObject({ stateBefore: "pending", stateAfter: "pending" });
        expect(await found(id)).toMatchObject({ state: "pending", claimExpired: false });
        expect(await found(other)).toMatchObject({ state: "pending", claimExpired: true });
      });

      test("what is known of failures stays with a message wherever it goes", async () => {
        const hand = await desk.relay();
        const [id = ""] = await desk.table.insert([{}]);
        await hand.settle(await hand.claim(), failed(0));
        const again = await hand.table.claimDueRetries({ lease: hand.lease, limit: 1, excludeIds: [] });
        if (!again) throw new Error("The retry is not due.");
        await hand.settle(again, DEAD);
        const before = await desk.photo(id);
        expect(before.message?.row).toMatchObject({ state: "dead", lastError: "HTTP 500 from the gateway" });
        expect(before.message?.history).toMatchObject({ firstError: "HTTP 500 from the gateway" });
        expect(before.message?.history.attempts.map(({ outcome }) => outcome)).toEqual(["dead", "failed"]);
        await desk.act("archive", id);
        const archived = await desk.photo(id);
        expect(archived.message?.row).toMatchObject({ state: "archived", lastError: "HTTP 500 from the gateway" });
        expect(archived.message?.history.attempts).toEqual(before.message?.history.attempts);
        await desk.act("restore", id);
        expect(known(await desk.photo(id))).toEqual(known(before));
        await desk.act("retry", id);
        expect((await desk.photo(id)).message?.history.attempts).toEqual(before.message?.history.attempts);
      });
    },
  );
}
