import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Actor } from "#domain/operator.ts";
import type { BulkRow } from "../port/bulk-records.ts";
import type { Store } from "../port/store.ts";
import { beginAndTake, bulkOf, endAll, endOne, itemOf, newBulk, PLAN } from "./bulk-hand.fixture.ts";
import { type CutTry, cutEach, cutTestOf, onceAgain } from "./cut-each.fixture.ts";
import { ADA, AN_HOUR_MS, type OperatorDesk, openDesk, REASON } from "./operator-desk.fixture.ts";
import { PLAIN, type StoreUnderTest } from "./store-under-test.fixture.ts";

const BEN: Actor = { name: "ben", role: "operator" };
const ROUNDS = 5;

/** Requirements of every engine for records of bulk operations: which runner has one, and which state it is in. */
export function describeBulkRecords(engine: StoreUnderTest): void {
  const cutTest = cutTestOf(engine);
  describe(`bulk operations of ${engine.kind}`, () => {
    let desk: OperatorDesk;
    let other: Store;
    beforeAll(async () => {
      desk = await openDesk(engine, PLAIN, { cuttable: !engine.sparing });
      other = desk.database.openStore();
    });
    afterEach(() => endAll(bulk()));
    afterAll(() => desk.close());

    const bulk = () => bulkOf(desk.store);
    const auditOf = async (id: string) => {
      const entries = await desk.store.records.audit({ filter: {}, before: null, limit: 1000 });
      return entries.filter(({ operationId }) => operationId === id);
    };
    const command = (id: string, more: Partial<Parameters<ReturnType<typeof bulk>["command"]>[0]> = {}) =>
      bulk().command({
        ...{ id, outbox: "orders", from: ["selecting", "running"], to: "paused", actor: BEN },
        ...{ action: "operation.pause", reason: "wait", ...more },
      });

    describe("beginning", () => {
      test("records the plan, with one audit row", async () => {
        const operation = newBulk();
        const begun = await bulk().begin(operation);
        expect(begun).toMatchObject({ id: operation.id, isNew: true, requestHash: "hash-1" });
        const { actor, reason, action } = operation;
        const row = { id: operation.id, outbox: "orders", actor, reason, action, requestHash: "hash-1", plan: PLAN };
        const first = { state: "selecting", progress: null, fence: 0, runner: null, endedAt: null };
        expect(begun.bulk).toMatchObject({ ...row, ...first });
        expect(await bulkOf(other).get(operation.id)).toEqual(begun.bulk);
        expect(await bulk().get(randomUUID())).toBeNull();
        const audited = { actor: ADA.name, action: "operation.retry", outcome: "done", detail: "dead messages" };
        expect(await auditOf(operation.id)).toMatchObject([{ ...audited, reason: REASON, messageId: null }]);
      });

      test("keeps a plan of thousands of messages", async () => {
        const targets = Array.from({ length: 5000 }, () => ({ id: randomUUID(), version: randomUUID().repeat(2) }));
        const { id } = newBulk();
        const begun = await bulk().begin(newBulk({ id, plan: { selection: { targets } } }));
        expect(begun.bulk?.plan).toEqual({ selection: { targets } });
        expect((await bulk().get(id))?.plan).toEqual({ selection: { targets } });
      });

      test("with a key that its actor has used gives the earlier one, however many begin at once", async () => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const idempotencyKey = randomUUID();
          const racers = [desk.store, other, desk.store, other].map((store, n) =>
            bulkOf(store).begin(newBulk({ idempotencyKey, requestHash: `hash-${n}` })),
          );
          const begun = await Promise.all(racers);
          const [winner] = begun.filter(({ isNew }) => isNew);
          expect(begun.filter(({ isNew }) => isNew)).toHaveLength(1);
          for (const { id, requestHash, bulk: row } of begun)
            expect([id, requestHash, row?.id]).toEqual([winner?.id, winner?.requestHash, winner?.id]);
          expect((await bulk().begin(newBulk({ idempotencyKey, actor: BEN }))).isNew).toBe(true);
        }
      });

      cutTest("that is cut leaves the operation with its audit row, or neither", async () => {
        const tried: CutTry = async (cut) => {
          const operation = newBulk({ idempotencyKey: randomUUID() });
          await cut(() => bulk().begin(operation));
          const kept = await onceAgain(() => bulk().get(operation.id));
          expect(await onceAgain(() => auditOf(operation.id))).toHaveLength(kept ? 1 : 0);
          const listed = await onceAgain(() => bulk().list({ outboxes: null, before: null, limit: 10 }));
          expect(listed.some(({ id }) => id === operation.id)).toBe(kept !== null);
          if (kept) await onceAgain(() => endOne(bulk(), kept.id));
          return kept !== null;
        };
        expect(await cutEach(desk.database, tried)).toBeGreaterThan(0);
      });
    });

    test("lists are read by the page, newest first, with operations of single messages", async () => {
      const outbox = "listed";
      const ids: string[] = [];
      for (let n = 0; n < 3; n += 1) {
        const [many, single] = [newBulk({ outbox }), newBulk({ outbox })];
        await bulk().begin(many);
        const { plan: _, detail: __, ...operation } = single;
        await desk.store.records.beginOperation(operation, () => ({ n }));
        ids.push(many.id, single.id);
      }
      const seen: { id: string; result: unknown; bulk: BulkRow | null }[] = [];
      let before: { at: string; id: string } | null = null;
      do {
        const page = await bulk().list({ outboxes: [outbox], before, limit: 2 });
        seen.push(...page);
        before = page.at(-1) ?? null;
      } while (before !== null);
      expect(new Set(seen.map(({ id }) => id))).toEqual(new Set(ids));
      expect(seen).toHaveLength(ids.length);
      const places = seen.map(({ id }) => Math.floor(ids.indexOf(id) / 2));
      expect(places).toEqual(places.toSorted((one, two) => two - one));
      for (const { id, bulk: row, result } of seen)
        expect([row?.id ?? null, result]).toEqual(
          ids.indexOf(id) % 2 === 0 ? [id, null] : [null, { n: Math.floor(ids.indexOf(id) / 2) }],
        );
      const all = await bulk().list({ outboxes: null, before: null, limit: 10 });
      expect(
        all
          .map(({ id }) => id)
          .slice(0, 6)
          .toSorted(),
      ).toEqual(ids.toSorted());
      expect(await bulk().list({ outboxes: ["another"], before: null, limit: 10 })).toEqual([]);
    });

    test("lists of several outboxes are read by the page, and an outbox that is not among them is left out", async () => {
      const ids: string[] = [];
      for (const outbox of ["first", "hidden", "second", "first", "hidden"]) {
        const { plan: _, detail: __, ...operation } = newBulk({ outbox });
        await desk.store.records.beginOperation(operation, () => ({}));
        if (outbox !== "hidden") ids.unshift(operation.id);
      }
      const outboxes = ["second", "first", "none"];
      const seen: string[] = [];
      let before: { at: string; id: string } | null = null;
      do {
        const page = await bulk().list({ outboxes, before, limit: 2 });
        seen.push(...page.map(({ id }) => id));
        before = page.at(-1) ?? null;
      } while (before !== null);
      expect(seen).toEqual(ids);
      expect(await bulk().list({ outboxes: [], before: null, limit: 10 })).toEqual([]);
    });

    describe("a runner", () => {
      test("takes the oldest that nobody has; of several at once, one gets it", async () => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const operation = newBulk();
          await bulk().begin(operation);
          const takers = [desk.store, other, desk.store, other];
          const taken = await Promise.all(takers.map((store, n) => bulkOf(store).take(`runner-${n}`, AN_HOUR_MS)));
          const [got, ...more] = taken.filter((row) => row !== null);
          expect(more).toEqual([]);
          expect(got).toMatchObject({ id: operation.id, fence: 1, runner: { heartbeatAt: expect.any(String) } });
          expect((await bulk().get(operation.id))?.runner?.name).toBe(got?.runner?.name);
        }
        const [older, newer] = [newBulk(), newBulk()];
        await bulk().begin(older);
        await bulk().begin(newer);
        const both = [await bulk().take("runner-1", AN_HOUR_MS), await bulk().take("runner-1", AN_HOUR_MS)];
        expect(both.map((row) => row?.id)).toEqual([older.id, newer.id]);
      });

      test("whose lease is over is refused once another has taken it", async () => {
        const { id } = newBulk();
        await bulk().begin(newBulk({ id }));
        const first = await bulk().take("runner-1", 1);
        const old = { id, fence: first?.fence ?? 0 };
        expect(await bulk().addItems(old, [itemOf(1)], { page: 1 })).toBe(true);
        await expect.poll(async () => (await bulk().get(id))?.runner).toBeNull();
        const second = await bulkOf(other).take("runner-2", AN_HOUR_MS);
        expect(second).toMatchObject({ id, fence: old.fence + 1, progress: { page: 1 }, runner: { name: "runner-2" } });
        expect(await bulk().save(old, { leaseMs: AN_HOUR_MS, progress: { page: 9 } })).toBeNull();
        expect(await bulk().addItems(old, [itemOf(2)], { page: 9 })).toBe(false);
        const skipped = { seq: 1, outcome: "skipped", code: null, message: null } as const;
        expect(await bulk().settle(old, [skipped])).toBe(false);
        expect(await bulk().cancelLeft(old, 10)).toBe(0);
        await bulk().release(old);
        expect(await bulk().get(id)).toEqual(second);
        expect(await bulk().counts(id)).toEqual({ left: 1 });
      });

      test("that gives it back makes it free at once", async () => {
        const { row, lease } = await beginAndTake(bulk());
        expect(await bulk().take("runner-2", AN_HOUR_MS)).toBeNull();
        await bulk().release(lease);
        expect(await bulk().take("runner-2", AN_HOUR_MS)).toMatchObject({ id: row.id, fence: lease.fence + 1 });
      });

      test("saves its progress, and states up to the end", async () => {
        const { lease } = await beginAndTake(bulk());
        const progress = { counts: { left: 2 }, note: "ü" };
        const running = { from: "selecting", to: "running" } as const;
        expect(await bulk().save(lease, { leaseMs: AN_HOUR_MS, progress, change: running })).toBe("running");
        expect(await bulk().save(lease, { leaseMs: AN_HOUR_MS })).toBe("running");
        expect(await bulk().get(lease.id)).toMatchObject({ state: "running", progress, endedAt: null });
        const finished = { from: "running", to: "finished" } as const;
        expect(await bulk().save(lease, { leaseMs: AN_HOUR_MS, change: finished })).toBe("finished");
        expect(await bulk().get(lease.id)).toMatchObject({ runner: null, endedAt: expect.any(String), progress });
        expect(await bulk().take("runner-2", AN_HOUR_MS)).toBeNull();
      });
    });

    describe("an operator", () => {
      test("changes the state with an audit row, and a runner does not overwrite it", async () => {
        const { lease } = await beginAndTake(bulk());
        expect(await command(lease.id)).toBe(true);
        const [row] = await auditOf(lease.id);
        expect(row).toMatchObject({ actor: "ben", action: "operation.pause", reason: "wait", outcome: "done" });
        const running = { from: "selecting", to: "running" } as const;
        expect(await bulk().save(lease, { leaseMs: AN_HOUR_MS, change: running })).toBe("paused");
        await bulk().release(lease);
        expect(await bulk().take("runner-2", AN_HOUR_MS)).toBeNull();
        expect(await command(lease.id)).toBe(false);
        expect(await command(randomUUID())).toBe(false);
        expect(await auditOf(lease.id)).toHaveLength(2);
        const resume = { from: ["paused"], to: "running", action: "operation.resume" } as const;
        expect(await command(lease.id, resume)).toBe(true);
        expect(await bulk().take("runner-2", AN_HOUR_MS)).toMatchObject({ id: lease.id, state: "running" });
      });

      test("and a runner at the same time: both are heard", async () => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const { lease } = await beginAndTake(bulk());
          const progress = { round };
          const [paused, saved] = await Promise.all([
            command(lease.id),
            bulkOf(other).save(lease, { leaseMs: AN_HOUR_MS, progress }),
          ]);
          expect([paused, ["selecting", "paused"].includes(saved ?? "")]).toEqual([true, true]);
          expect(await bulk().get(lease.id)).toMatchObject({ state: "paused", progress });
        }
      });

      cutTest("whose command is cut has changed the state with its audit row, or neither", async () => {
        const tried: CutTry = async (cut) => {
          const { id } = newBulk();
          await onceAgain(() => bulk().begin(newBulk({ id, idempotencyKey: id })));
          await cut(() => command(id));
          const paused = (await onceAgain(() => bulk().get(id)))?.state === "paused";
          expect(await onceAgain(() => auditOf(id))).toHaveLength(paused ? 2 : 1);
          await onceAgain(() => endOne(bulk(), id));
          return paused;
        };
        expect(await cutEach(desk.database, tried)).toBeGreaterThan(0);
      });
    });
  });
}
