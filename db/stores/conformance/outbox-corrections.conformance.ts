import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { copyIdOf, originalIdOf } from "#domain/message/correction.ts";
import type { CorrectionRequest } from "../port/correction.ts";
import type { ItemAct } from "../port/outbox-actions.ts";
import { beginAndTake, bulkOf, itemOf, verbOf } from "./bulk-hand.fixture.ts";
import { type CutTry, cutEach, onceAgain } from "./cut-each.fixture.ts";
import { DEAD, failed, openRelayHand, PUBLISHED } from "./open-outbox.fixture.ts";
import { ADA, AN_HOUR_MS, type OperatorDesk, openDesk, PATIENT_MS, REASON } from "./operator-desk.fixture.ts";
import { byName, NO_RELAY, type StoreUnderTest } from "./store-under-test.fixture.ts";

const EXACT = '{"id": 12345678901234567890, "total": 1.10, "rate": 1.0e-8, "note": "ü"}';
const LAYOUTS = [byName("status"), byName("timestamp")];

/** Requirements of every engine for corrected copies; an engine that cannot send one says why. */
export function describeCorrections(engine: StoreUnderTest): void {
  const layouts = engine.sparing ? LAYOUTS.slice(0, 1) : LAYOUTS;
  describe.each(layouts)(`corrected copies of ${engine.kind}, on a table with $name`, (layout) => {
    let desk: OperatorDesk;
    beforeEach(async () => {
      desk = await openDesk(engine, layout);
    });
    afterEach(() => desk.close());

    const correct = (id: string, more: Partial<CorrectionRequest> = {}) => correctOn(desk, id, more);
    const payloadOf = async (id: string) => (await desk.outbox.read.message(id))?.content.payload?.text;

    test("an engine that cannot write copies says so, and refuses them with the same sentence", async () => {
      const no = await desk.outbox.act.whyNoCopy();
      if (no === null) return;
      expect(no).toMatch(/^[A-Z].+\.$/);
      const id = await desk.put("dead");
      const before = await desk.photo(id);
      await expect(correct(id)).rejects.toMatchObject({ code: "wrong_state", message: no });
      expect(await desk.photo(id)).toEqual(before);
    });

    test.each(["dead", "failed"] as const)(
      "of a %s message: a new pending one, as typed; the original is dead",
      async (state) => {
        if ((await desk.outbox.act.whyNoCopy()) !== null) return;
        const id = await desk.put(state, { payload: '{"currency": "XBT"}' });
        const old = await payloadOf(id);
        const operationId = randomUUID();
        const { copyId, ...result } = await correct(id, { payload: EXACT, operationId });
        expect(result).toMatchObject({ stateBefore: state, stateAfter: "dead", version: await desk.versionOf(id) });
        expect(copyId).not.toBe(id);
        await desk.expectStates(
          new Map([
            [id, "dead"],
            [copyId, "pending"],
          ]),
        );
        expect([await payloadOf(id), await payloadOf(copyId)]).toEqual([old, EXACT]);
        const [original, copy] = await Promise.all([id, copyId].map((one) => desk.outbox.read.message(one)));
        for (const field of ["eventType", "aggregateType", "aggregateId"] as const)
          expect(copy?.row[field]).toBe(original?.row[field]);
        expect(Date.parse(copy?.row.createdAt ?? "")).toBeGreaterThanOrEqual(Date.parse(original?.row.createdAt ?? ""));
        const [ofOriginal] = await desk.auditOf(id);
        const [ofCopy] = await desk.auditOf(copyId);
        expect(ofOriginal).toMatchObject({
          action: "message.correct",
          operationId,
          stateBefore: state,
          stateAfter: "dead",
          reason: REASON,
        });
        expect(ofCopy).toMatchObject({
          action: "message.copy",
          actor: ADA.name,
          reason: REASON,
          stateAfter: "pending",
        });
        expect([copyIdOf([ofOriginal!]), originalIdOf([ofCopy!])]).toEqual([copyId, id]);
      },
    );

    test("a second copy is a conflict, and so is a version that is not the last", async () => {
      if ((await desk.outbox.act.whyNoCopy()) !== null) return;
      const id = await desk.put("dead");
      const version = await desk.versionOf(id);
      const both = await Promise.allSettled([correct(id, { version }), correct(id, { version })]);
      expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(both.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "conflict" } });
      await expect(correct(id)).rejects.toMatchObject({
        code: "conflict",
        message: expect.stringContaining("sent already"),
      });
      await expect(correct(await desk.put("dead"), { version: "1" })).rejects.toMatchObject({ code: "conflict" });
    });

    test("the original is never retried, alone or among others: it would be sent a second time", async () => {
      if ((await desk.outbox.act.whyNoCopy()) !== null) return;
      const [id, other] = [await desk.put("dead"), await desk.put("dead")];
      const { copyId } = await correct(id);
      const refusal = { code: "wrong_state", message: expect.stringContaining(copyId) };
      await expect(desk.act("retry", id)).rejects.toMatchObject(refusal);
      await expect(desk.act("retry", id, { dryRun: true })).rejects.toMatchObject(refusal);
      const acts = await bulkRetry(desk, [id, other]);
      expect(acts.map(({ failure }) => failure)).toEqual([expect.objectContaining(refusal), null]);
      await desk.act("archive", id);
      await desk.act("restore", id);
      await expect(desk.act("retry", id)).rejects.toMatchObject(refusal);
    });

    test("what is not failed or dead is refused, and changes nothing", async () => {
      if ((await desk.outbox.act.whyNoCopy()) !== null) return;
      for (const state of ["pending", "in_flight", "archived"] as const) {
        const id = await desk.put(state);
        const before = await desk.photo(id);
        const code = state === "in_flight" ? "in_flight" : "wrong_state";
        await expect(correctOn(desk, id, { waitMs: 0 }), state).rejects.toMatchObject({
          code,
          message: expect.stringMatching(/^[A-Z].+\.$/),
        });
        expect(await desk.photo(id), state).toEqual(before);
      }
    });

    test("the relay publishes the copy after what waits in its aggregate, and never the original", async (context) => {
      if ((await desk.outbox.act.whyNoCopy()) !== null) return;
      if (!desk.store.capabilities.relays) return context.skip(NO_RELAY);
      const [first = "", next = ""] = await desk.table.insert([{ aggregateId: "a" }, { aggregateId: "a" }]);
      await desk.publishAlone(first, failed(AN_HOUR_MS));
      const { copyId } = await correct(first);
      const claim = await (await desk.relay()).claim();
      expect(claim.messages.map(({ id }) => id)).toEqual([next, copyId]);
      expect(claim.messages[1]?.attempts).toBe(0);
      await (await desk.relay()).settle(claim, PUBLISHED);
      await desk.expectStates(new Map([[first, "dead"]]));
    });

    test("an aggregate that was held behind the original is released", async (context) => {
      if ((await desk.outbox.act.whyNoCopy()) !== null) return;
      if (!desk.store.capabilities.relays) return context.skip(NO_RELAY);
      const [dead = ""] = await desk.table.insert([{ aggregateId: "a" }]);
      const hand = openRelayHand(desk.outbox, "relay-1", { onDead: "hold" });
      await hand.acquire({ leaseMs: AN_HOUR_MS });
      await hand.settle(await hand.claim(), DEAD);
      await hand.table.close();
      expect((await correct(dead)).message).toContain("is now released");
      expect((await desk.store.records.relays(desk.table.name)).paused.pauses).toEqual([]);
    });
  });

  if (engine.sparing) return;
  describe(`corrected copies of ${engine.kind} whose connection is cut`, () => {
    let desk: OperatorDesk;
    beforeAll(async () => {
      desk = await openDesk(engine, byName("timestamp"), { cuttable: true });
    });
    afterAll(() => desk.close());

    test("a copy is sent and its original dead, with the audit of both, or neither, wherever it is cut", async () => {
      if ((await desk.outbox.act.whyNoCopy()) !== null) return;
      const rows = async () => (await desk.outbox.read.list({ filter: { state: "pending" }, limit: 1000 })).rows.length;
      const copies = async () =>
        (await desk.store.records.audit({ filter: { action: "message.copy" }, before: null, limit: 1000 })).length;
      const tried = async (cut: Parameters<CutTry>[0]) => {
        const id = await onceAgain(async () => {
          const [made = ""] = await desk.table.insert([{ aggregateId: randomUUID() }]);
          await desk.act("dead-letter", made, { waitMs: PATIENT_MS });
          return made;
        });
        const version = await onceAgain(() => desk.versionOf(id));
        const before = await onceAgain(async () => [await rows(), await copies()]);
        await cut(() => correctOn(desk, id, { version }));
        // The lock is granted once the cut transaction has ended.
        const again = await onceAgain(() => correctAgain(desk, id, version));
        const changed = again === "conflict";
        const [pending = 0, audited = 0] = await onceAgain(async () => [await rows(), await copies()]);
        expect([pending, audited]).toEqual(before.map((count) => count + 1));
        return changed;
      };
      expect(await cutEach(desk.database, tried)).toBeGreaterThan(5);
    });
  });
}

async function correctOn(
  desk: OperatorDesk,
  id: string,
  { waitMs = PATIENT_MS, ...more }: Partial<CorrectionRequest> & { waitMs?: number } = {},
) {
  const version = more.version ?? (await desk.versionOf(id));
  const request = { id, version, payload: '{"n":2}', actor: ADA, reason: REASON, operationId: randomUUID() };
  return desk.outbox.act.correct({ ...request, ...more }, waitMs);
}

/** As a bulk operation does it. */
async function bulkRetry(desk: OperatorDesk, ids: readonly string[]): Promise<ItemAct[]> {
  const bulk = bulkOf(desk.store);
  const { lease } = await beginAndTake(bulk);
  const found = new Map((await desk.outbox.read.find(ids)).map((row) => [row.id, row]));
  const items = ids.map((messageId, at) => itemOf(at + 1, { messageId, version: found.get(messageId)?.version ?? "" }));
  await bulk.addItems(lease, items, null);
  return desk.outbox.act.performItems((await bulk.next(lease.id, null, ids.length)).map(verbOf(lease.id)));
}

/** Sends it unless the first try has: after any cut there is exactly one copy in the end. */
async function correctAgain(desk: OperatorDesk, id: string, version: string): Promise<"sent" | "conflict"> {
  try {
    await correctOn(desk, id, { version });
    return "sent";
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "conflict") return "conflict";
    throw error;
  }
}
