import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PauseChange } from "../port/outbox-actions.ts";
import type { PauseRow } from "../port/pauses.ts";
import { DEAD, failed, openRelayHand, READ_ALL } from "./open-outbox.fixture.ts";
import { ADA, AN_HOUR_MS, type OperatorDesk, openDesk, REASON } from "./operator-desk.fixture.ts";
import { NO_RELAY, PLAIN, type StoreUnderTest } from "./store-under-test.fixture.ts";

const WHOLE = { scope: "outbox", subject: "" } as const;
const TYPE = { scope: "event_type", subject: "order.placed" } as const;
const AGGREGATE = { scope: "aggregate", subject: "order/a" } as const;

const changeOf = (subject: PauseChange["subject"], more: Partial<PauseChange> = {}): PauseChange => ({
  subject,
  actor: ADA,
  reason: REASON,
  detail: "for a while",
  ...more,
});

/** Requirements of every engine for pauses of an outbox, or of a part of it. */
export function describePauses(engine: StoreUnderTest): void {
  describe(`pauses of ${engine.kind}`, () => {
    let desk: OperatorDesk;
    beforeEach(async () => {
      desk = await openDesk(engine, PLAIN);
    });
    afterEach(() => desk.close());

    const pause = (subject: PauseChange["subject"], minutes: number | null = null) =>
      desk.outbox.act.pause({ ...changeOf(subject), minutes });
    const resume = (subject: PauseChange["subject"]) => desk.outbox.act.resume(changeOf(subject));
    const listed = async (): Promise<PauseRow[]> => (await desk.store.records.relays(desk.table.name)).paused.pauses;
    const auditOfPauses = async () =>
      (await desk.store.records.audit({ filter: {}, before: null, limit: 100 })).filter(({ action }) =>
        action.startsWith("relay."),
      );

    test.each([WHOLE, TYPE, AGGREGATE])(
      "a pause of $scope begins, is replaced and ends, each in the audit",
      async (of) => {
        await pause(of, 10);
        const [first] = await listed();
        expect(first).toMatchObject({ ...of, outbox: desk.table.name, reason: REASON, by: ADA.name, messageId: null });
        expect(Date.parse(first?.until ?? "") - Date.parse(first?.at ?? "")).toBe(600_000);
        const ben = { name: "ben", role: "operator" } as const;
        await desk.outbox.act.pause({ ...changeOf(of, { actor: ben, reason: "longer", detail: null }), minutes: null });
        expect(await listed()).toEqual([expect.objectContaining({ ...of, reason: "longer", by: "ben", until: null })]);
        expect(await resume(of)).toBe(true);
        expect(await listed()).toEqual([]);
        expect(await resume(of)).toBe(false);
        const common = {
          outbox: desk.table.name,
          messageId: null,
          outcome: "done",
          stateBefore: null,
          stateAfter: null,
        };
        expect(await auditOfPauses()).toMatchObject([
          { ...common, action: "relay.resume", actor: "ada", reason: REASON, detail: "for a while" },
          { ...common, action: "relay.pause", actor: "ben", role: "operator", reason: "longer", detail: null },
          { ...common, action: "relay.pause", actor: "ada", role: "admin", reason: REASON, detail: "for a while" },
        ]);
      },
    );

    test("pauses of different scopes stand side by side, and each ends alone", async () => {
      for (const subject of [TYPE, AGGREGATE, WHOLE]) await pause(subject);
      expect((await listed())[0]).toMatchObject(WHOLE);
      const { pause: whole, partialPauses } = await desk.outbox.read.figures();
      expect(whole).toMatchObject({ scope: "outbox", by: ADA.name });
      expect(partialPauses).toEqual({ eventTypes: 1, aggregates: 1, holds: 0, typeNames: [TYPE.subject] });
      expect(await resume(TYPE)).toBe(true);
      expect((await listed()).map(({ scope }) => scope)).toEqual(["outbox", "aggregate"]);
      expect((await desk.store.records.relays("another")).paused).toEqual({ pauses: [], total: 0 });
    });

    test("tells what holds one message back, the longest first", async () => {
      await pause(WHOLE);
      await pause(TYPE, 5);
      await pause(AGGREGATE);
      const ask = async (eventType: string | null, aggregateKey: string | null) =>
        (await desk.store.records.pausesOf({ outbox: desk.table.name, eventType, aggregateKey })).map(
          ({ scope }) => scope,
        );
      expect(await ask(TYPE.subject, AGGREGATE.subject)).toEqual(["aggregate", "event_type"]);
      expect(await ask(TYPE.subject, null)).toEqual(["event_type"]);
      expect(await ask(null, AGGREGATE.subject)).toEqual(["aggregate"]);
      expect(await ask(AGGREGATE.subject, TYPE.subject)).toEqual([]);
    });

    test("a relay learns of pauses, and leaves out what may go in any order and what waits for a retry", async (context) => {
      if (!desk.store.capabilities.relays) return context.skip(NO_RELAY);
      const [keyed = "", retried = "", , kept = ""] = await desk.table.insert([
        { aggregateId: "a" },
        { aggregateId: "b" },
        { aggregateId: null },
        { aggregateId: null, eventType: "order.paid" },
      ]);
      const { table, ...hand } = await desk.relay();
      const lease = (await desk.relay()).lease;
      const first = await hand.claim({ excludeIds: (await unsent()).filter((id) => id !== keyed && id !== retried) });
      await hand.settle(first, failed(0));
      const retries = async () => {
        const claim = await table.claimDueRetries({ lease, limit: 10, excludeIds: [] });
        if (claim) await hand.settle(claim, failed(0));
        return claim?.messages.map(({ id }) => id).sort() ?? [];
      };
      expect(await retries()).toEqual([keyed, retried].sort());
      await pause(AGGREGATE);
      expect(await table.readPauses()).toMatchObject([{ ...AGGREGATE, reason: REASON, by: ADA.name, until: null }]);
      expect(await retries()).toEqual([retried]);
      await pause(TYPE);
      expect((await table.readPauses()).map(({ scope }) => scope).sort()).toEqual(["aggregate", "event_type"]);
      expect(await retries()).toEqual([]);
      const { claim } = await table.claimNew({ ...READ_ALL, lease });
      expect(claim?.messages.map(({ id }) => id)).toEqual([kept]);
      await resume(TYPE);
      await resume(AGGREGATE);
      expect(await table.readPauses()).toEqual([]);
      expect(await retries()).toEqual([keyed, retried].sort());
    });

    const unsent = async () =>
      (await desk.outbox.read.list({ filter: { state: "unsent" }, limit: 100 })).rows.map(({ id }) => id);

    /** The first of three messages is dead, so the relay holds its aggregate. */
    const hold = async () => {
      const hand = openRelayHand(desk.outbox, "relay-hold", { onDead: "hold" });
      await hand.acquire({ leaseMs: AN_HOUR_MS });
      const [id = ""] = await desk.table.insert([{}, {}]);
      const claim = await hand.claim({ limit: 1 });
      await hand.settle(claim, DEAD);
      await hand.table.close();
      return id;
    };

    test("an aggregate held behind a dead message is listed with it, and a person ends that like a pause", async (context) => {
      if (!desk.store.capabilities.relays) return context.skip(NO_RELAY);
      const id = await hold();
      expect(await listed()).toMatchObject([{ ...AGGREGATE, messageId: id, until: null }]);
      expect((await desk.outbox.read.figures()).partialPauses).toMatchObject({ aggregates: 0, holds: 1 });
      await pause(AGGREGATE);
      expect(await listed()).toHaveLength(2);
      expect(await resume(AGGREGATE)).toBe(true);
      expect(await listed()).toEqual([]);
    });

    test.for(["retry", "archive"] as const)(
      "%s of the dead message ends the hold behind it, a pause stays",
      async (action, context) => {
        if (!desk.store.capabilities.relays) return context.skip(NO_RELAY);
        const id = await hold();
        await pause(AGGREGATE);
        const { message } = await desk.act(action, id);
        expect(message).toContain("held behind it");
        expect(await listed()).toEqual([expect.objectContaining({ ...AGGREGATE, messageId: null })]);
      },
    );
  });
}
