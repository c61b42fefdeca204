import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Actor } from "#domain/operator.ts";
import type { AuditPlace, AuditRow } from "../port/audit.ts";
import type { MappingFingerprint } from "../port/mapping-fingerprint.ts";
import type { NewOperation } from "../port/operations.ts";
import type { Store } from "../port/store.ts";
import { type CutTry, cutEach, cutTestOf, onceAgain } from "./cut-each.fixture.ts";
import { ADA, type OperatorDesk, openDesk, REASON } from "./operator-desk.fixture.ts";
import { PLAIN, type StoreUnderTest } from "./store-under-test.fixture.ts";

const BEN: Actor = { name: "ben", role: "operator" };
const ROUNDS = 10;

const operationOf = (more: Partial<NewOperation> = {}): NewOperation => ({
  id: randomUUID(),
  outbox: "orders",
  action: "dead-letter",
  actor: ADA,
  reason: REASON,
  idempotencyKey: null,
  requestHash: "hash-1",
  ...more,
});

/** Requirements of every engine for a store's records that belong to no outbox. */
export function describeStoreRecords(engine: StoreUnderTest): void {
  const cutTest = cutTestOf(engine);
  describe(`records of ${engine.kind}`, () => {
    let desk: OperatorDesk;
    let other: Store;
    beforeEach(async () => {
      desk = await openDesk(engine, PLAIN, { cuttable: true });
      other = desk.database.openStore();
    });
    afterEach(() => desk.close());

    const records = () => desk.store.records;

    describe("of operations", () => {
      test("an operation is recorded with its targets when it begins, and with its outcome later", async () => {
        const operation = operationOf();
        const begun = await records().beginOperation(operation, (at) => ({ at, targets: ["a", "b"] }));
        expect(begun).toMatchObject({ id: operation.id, outbox: "orders", requestHash: "hash-1", isNew: true });
        expect(begun.ageSeconds).toBeGreaterThanOrEqual(0);
        const kept = await records().operation(operation.id);
        expect(kept).toMatchObject({ ...begun, isNew: false, ageSeconds: expect.any(Number) });
        expect(kept?.result).toEqual({ at: begun.at, targets: ["a", "b"] });
        const result = { done: 1, text: 'zoë 💥 "9007199254740993"', nested: [null, { deep: true }] };
        await records().finishOperation(operation, result);
        expect((await other.records.operation(operation.id, { fresh: true }))?.result).toEqual(result);
        expect(await records().operation(randomUUID())).toBeNull();
      });

      test("a key that its actor has used gives the earlier operation, whatever is asked with it", async () => {
        const first = operationOf({ idempotencyKey: "key-1" });
        const used = { actor: ADA.name, idempotencyKey: "key-1" };
        expect(await records().operationByKey(used)).toBeNull();
        await records().beginOperation(first, () => "first");
        expect(await other.records.operationByKey(used)).toMatchObject({ id: first.id, requestHash: "hash-1" });
        expect(await records().operationByKey({ ...used, actor: BEN.name })).toBeNull();
        const again = operationOf({ idempotencyKey: "key-1", requestHash: "hash-2", action: "retry" });
        const found = await records().beginOperation(again, () => "again");
        expect(found).toMatchObject({ id: first.id, requestHash: "hash-1", result: "first", isNew: false });
        expect(await records().operation(again.id)).toBeNull();
        const bens = await records().beginOperation(operationOf({ idempotencyKey: "key-1", actor: BEN }), () => "ben");
        expect(bens.isNew).toBe(true);
        const keyless = [operationOf(), operationOf()];
        for (const one of keyless) expect((await records().beginOperation(one, () => "")).isNew).toBe(true);
      });

      test("of two who begin at once with one key, both get the one record", async () => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const racers = [desk.store, other, desk.store, other].map(({ records: of }, n) =>
            of.beginOperation(operationOf({ idempotencyKey: `key-${round}` }), () => ({ racer: n })),
          );
          const begun = await Promise.all(racers);
          expect(begun.filter(({ isNew }) => isNew)).toHaveLength(1);
          const [winner] = begun.filter(({ isNew }) => isNew);
          expect(new Set(begun.map(({ id }) => id))).toEqual(new Set([winner?.id]));
          const kept = (await records().operation(winner?.id ?? ""))?.result;
          for (const { isNew, result } of begun) if (!isNew) expect(result).toEqual(kept);
        }
      });

      cutTest("an operation that is cut while it begins is there with its targets, or not at all", async () => {
        const tried: CutTry = async (cut) => {
          const operation = operationOf({ idempotencyKey: randomUUID() });
          await cut(() => records().beginOperation(operation, () => ({ targets: ["a"] })));
          const kept = await onceAgain(() => records().operation(operation.id, { fresh: true }));
          if (kept) expect(kept.result).toEqual({ targets: ["a"] });
          const second = operationOf({ idempotencyKey: operation.idempotencyKey });
          const again = await onceAgain(() => records().beginOperation(second, () => ({ targets: ["a"] })));
          expect([again.id, again.isNew]).toEqual(kept ? [operation.id, false] : [second.id, true]);
          return kept !== null;
        };
        expect(await cutEach(desk.database, tried)).toBeGreaterThan(1);
      });

      test("an operation is finished by what the audit says it changed", async () => {
        const [operation, another] = [operationOf(), operationOf()];
        for (const one of [operation, another]) await records().beginOperation(one, () => ({}));
        const ids = [await desk.put("pending"), await desk.put("pending")];
        for (const id of ids) await desk.act("dead-letter", id, { operationId: operation.id });
        await desk.act("retry", ids[0] ?? "", { operationId: another.id });
        await expect(desk.act("restore", ids[1] ?? "", { operationId: operation.id })).rejects.toThrow();
        const changes = ids.map((messageId) => ({
          messageId,
          stateBefore: "pending",
          stateAfter: "dead",
          detail: expect.any(String),
        }));
        const byId = (known: { messageId: string }[]) =>
          known.toSorted((one, two) => ids.indexOf(one.messageId) - ids.indexOf(two.messageId));
        expect(byId(await records().changesOf(operation.id))).toEqual(changes);
        expect(await records().changesOf(another.id)).toMatchObject([{ messageId: ids[0], stateAfter: "pending" }]);
        expect(await records().changesOf(randomUUID())).toEqual([]);
        const finish = (known: { messageId: string }[]) => ({ finished: byId(known) });
        await records().settleOperation({ id: operation.id, outbox: "orders", finish });
        expect((await records().operation(operation.id))?.result).toEqual({ finished: changes });
        expect((await records().operation(another.id))?.result).toEqual({});
      });
    });

    describe("of what was done", () => {
      const idsOf = async (input: Partial<Parameters<Store["records"]["audit"]>[0]> = {}) =>
        (await records().audit({ filter: {}, before: null, limit: 100, ...input })).map(({ id }) => id);

      test("the audit is read by the page, newest first, and complete", async () => {
        const subject = { scope: "event_type", subject: "order.placed" } as const;
        for (let n = 0; n < 23; n += 1)
          await desk.outbox.act.pause({ subject, actor: ADA, reason: String(n), detail: null, minutes: null });
        const reasons: (string | null)[] = [];
        for (let before: AuditPlace | null = null; ; ) {
          const page: AuditRow[] = await records().audit({ filter: {}, before, limit: 10 });
          expect(page.length).toBeLessThanOrEqual(10);
          reasons.push(...page.map(({ reason }) => reason));
          before = page.at(-1) ?? null;
          if (page.length < 10) break;
        }
        expect(reasons).toEqual(Array.from({ length: 23 }, (_, n) => String(22 - n)));
        const [newest] = await records().audit({ filter: {}, before: null, limit: 1 });
        expect(Math.abs(Date.parse(newest?.at ?? "") - Date.now())).toBeLessThan(60_000);
      });

      test("the audit is filtered by outbox, message, action, actor and outcome, alone and together", async () => {
        const id = await desk.put("pending");
        const another = await desk.put("pending");
        await desk.act("dead-letter", id);
        await desk.act("dead-letter", another, { actor: BEN });
        await desk.act("retry", id, { actor: BEN });
        const [retried, bens, adas] = await idsOf();
        expect(await idsOf({ filter: { messageId: id } })).toEqual([retried, adas]);
        expect(await idsOf({ filter: { action: "message.dead-letter" } })).toEqual([bens, adas]);
        expect(await idsOf({ filter: { actor: "ben" } })).toEqual([retried, bens]);
        expect(await idsOf({ filter: { actor: "ben", messageId: id } })).toEqual([retried]);
        expect(await idsOf({ filter: { outboxes: ["another", "orders"] } })).toEqual([retried, bens, adas]);
        expect(await idsOf({ filter: { outboxes: ["another"] } })).toEqual([]);
        expect(await idsOf({ filter: { outboxes: [] } })).toEqual([]);
        expect(await idsOf({ filter: { outcome: "done" } })).toEqual([retried, bens, adas]);
        expect(await idsOf({ filter: { outcome: "refused" } })).toEqual([]);
        const [newest] = await records().audit({ filter: {}, before: null, limit: 1 });
        expect(await idsOf({ filter: { actor: "ben" }, before: newest ?? null, limit: 1 })).toEqual([bens]);
      });

      test("the audit is filtered by time, from a first moment up to a last that is left out", async () => {
        for (const _ of [1, 2, 3]) await desk.act("dead-letter", await desk.put("pending"));
        const [last, middle, first] = await records().audit({ filter: {}, before: null, limit: 3 });
        const [from, to] = [first?.at ?? "", last?.at ?? ""];
        const all = await records().audit({ filter: {}, before: null, limit: 3 });
        const expected = all.filter(({ at }) => at >= from && at < to).map(({ id }) => id);
        expect(await idsOf({ filter: { from, to } })).toEqual(expected);
        expect(await idsOf({ filter: { from }, before: middle ?? null })).toEqual([first?.id]);
        const inOffset = new Date(Date.parse(from) + 7_200_000).toISOString().replace("Z", "+02:00");
        expect(await idsOf({ filter: { from: inOffset } })).toEqual(all.map(({ id }) => id));
        expect(await idsOf({ filter: { to: from } })).toEqual([]);
        expect(await idsOf({ filter: { from: "2090-01-01T00:00:00Z" } })).toEqual([]);
      });
    });

    describe("of accepted mappings", () => {
      const fingerprintOf = async (): Promise<MappingFingerprint> => {
        const accepted = (await desk.store.catalog()).accepted.get("orders");
        if (!accepted) throw new Error("The mapping of the desk was not kept.");
        return accepted;
      };
      const another = (fingerprint: MappingFingerprint, n: number): MappingFingerprint => ({
        ...fingerprint,
        all: [...fingerprint.all, `added_${n}`],
      });
      const acceptedOf = async (outbox: string) => (await desk.store.catalog()).accepted.get(outbox);

      test("the first of two mappings that race is kept, and both are told which", async () => {
        const fingerprint = await fingerprintOf();
        for (let round = 0; round < ROUNDS; round += 1) {
          const outbox = `race-${round}`;
          const kept = await Promise.all(
            [desk.store, other].map((store, n) =>
              store.records.keepFirstMapping({ outbox, fingerprint: another(fingerprint, n), by: "worker" }),
            ),
          );
          expect(kept[0]).toEqual(kept[1]);
          expect([another(fingerprint, 0), another(fingerprint, 1)]).toContainEqual(kept[0]);
          expect(await acceptedOf(outbox)).toEqual(kept[0]);
        }
      });

      test("a mapping that someone accepts takes the place of any other, with its audit row or not at all", async () => {
        const fingerprint = await fingerprintOf();
        const audited = async () => (await records().audit({ filter: {}, before: null, limit: 1000 })).length;
        let n = 0;
        const tried: CutTry = async (cut) => {
          n += 1;
          const next = another(fingerprint, n);
          const [was, before] = await onceAgain(async () => [await acceptedOf("orders"), await audited()] as const);
          const audit = {
            actor: ADA,
            action: "mapping.accept",
            outbox: "orders",
            outcome: "done",
            reason: REASON,
          } as const;
          await cut(() => records().acceptMapping({ outbox: "orders", fingerprint: next, by: ADA.name }, audit));
          const [now, after] = await onceAgain(async () => [await acceptedOf("orders"), await audited()] as const);
          expect([was, next]).toContainEqual(now);
          const changed = after > before;
          expect(now).toEqual(changed ? next : was);
          return changed;
        };
        expect(await cutEach(desk.database, tried)).toBeGreaterThan(1);
        const [row] = await records().audit({ filter: { action: "mapping.accept" }, before: null, limit: 1 });
        expect(row).toMatchObject({ actor: "ada", role: "admin", outbox: "orders", outcome: "done", reason: REASON });
      });

      test("a mapping of a first start is kept over no later one", async () => {
        const fingerprint = await fingerprintOf();
        const later = { outbox: "orders", fingerprint: another(fingerprint, 1), by: "worker" };
        expect(await records().keepFirstMapping(later)).toEqual(fingerprint);
        expect(await acceptedOf("orders")).toEqual(fingerprint);
      });
    });
  });
}
