import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ItemOutcome } from "#domain/message/bulk-operation.ts";
import type { BulkLease, ItemResult, ItemRow } from "../port/bulk-records.ts";
import type { ItemAct } from "../port/outbox-actions.ts";
import type { OutboxStore, Store } from "../port/store.ts";
import {
  beginAndTake,
  bulkOf,
  deadItems,
  endAll,
  endOne,
  itemOf,
  outcomesOf,
  upTo,
  verbOf,
} from "./bulk-hand.fixture.ts";
import { type CutTry, cutEach, cutTestOf, onceAgain, underCut } from "./cut-each.fixture.ts";
import { openOutbox } from "./open-outbox.fixture.ts";
import { type OperatorDesk, openDesk } from "./operator-desk.fixture.ts";
import { byName, CUT_SIDES, type StoreUnderTest } from "./store-under-test.fixture.ts";

const result = (seq: number, outcome: ItemOutcome, message: string | null = null): ItemResult => ({
  ...{ seq, outcome, message, code: outcome === "failed_again" ? "http_500" : null },
});

/**
 * Requirements for the items of bulk operations: each is acted on once, with its outcome. `layout` decides whether dead
 * messages stay in their table.
 */
export function describeBulkItems(engine: StoreUnderTest, layout = "timestamp and attempts"): void {
  const cutTest = cutTestOf(engine);
  describe(`items of bulk operations of ${engine.kind}, on a table with ${layout}`, () => {
    let desk: OperatorDesk;
    let other: Store;
    let otherOutbox: OutboxStore;
    let lease: BulkLease;
    beforeAll(async () => {
      desk = await openDesk(engine, byName(layout), { cuttable: !engine.sparing });
      other = desk.database.openStore();
      otherOutbox = await openOutbox(other, desk.table);
    });
    afterEach(() => endAll(bulk()));
    afterAll(() => desk.close());

    const bulk = () => bulkOf(desk.store);
    const begin = async () => {
      ({ lease } = await beginAndTake(bulk()));
    };
    const seqs = (items: readonly ItemRow[]) => items.map(({ seq }) => seq);
    const perform = (items: readonly ItemRow[], of = desk.outbox): Promise<ItemAct[]> =>
      of.act.performItems(items.map(verbOf(lease.id)));
    /** Acts on all items that are left; throws while some of them still are. */
    const workOff = async (note: (acts: readonly ItemAct[]) => void = () => undefined): Promise<void> => {
      const left = await bulk().next(lease.id, null, 100);
      const acts = left.length > 0 ? await perform(left) : [];
      note(acts);
      const failed = acts.find(({ failure }) => failure !== null);
      if (failed?.failure) throw failed.failure;
    };
    const statesOf = async (items: readonly ItemRow[]) => {
      const rows = await desk.outbox.read.find(items.map(({ messageId }) => messageId));
      return items.map(({ messageId }) => rows.find(({ id }) => id === messageId)?.state);
    };

    describe("written once", () => {
      test("are read by the page, in the order of the work, all or by outcome", async () => {
        await begin();
        const refused = { code: "wrong_state", message: "It is published." };
        const items = upTo(30, -1).map((item) => (item.seq % 10 === 0 ? { ...item, refused } : item));
        expect(await bulk().addItems(lease, items.slice(0, 20), { page: 1 })).toBe(true);
        expect(await bulk().addItems(lease, items.slice(20), { page: 2 })).toBe(true);
        expect((await bulk().get(lease.id))?.progress).toEqual({ page: 2 });
        const inOrder = seqs(items as never).toSorted((one, two) => one - two);
        const pages = async (read: (after: number | null) => Promise<ItemRow[]>) => {
          const found: ItemRow[] = [];
          for (let page = await read(null); page.length > 0; page = await read(page.at(-1)?.seq ?? null)) {
            expect(page.length).toBeLessThanOrEqual(7);
            found.push(...page);
          }
          return found;
        };
        const of = (outcome: ItemOutcome | "left" | null) =>
          pages((afterSeq) => bulk().items({ id: lease.id, outcome, afterSeq, limit: 7 }));
        const left = inOrder.filter((seq) => seq % 10 !== 0);
        expect(seqs(await of(null))).toEqual(inOrder);
        expect(seqs(await of("left"))).toEqual(left);
        expect(seqs(await pages((after) => bulk().next(lease.id, after, 7)))).toEqual(left);
        expect(await of("refused")).toMatchObject(
          [-30, -20, -10].map((seq) => ({ seq, outcome: "refused", ...refused, settledAt: expect.any(String) })),
        );
        const { refused: _, ...first } = itemOf(-29);
        const open = { outcome: null, code: null, message: null, actedAt: null, settledAt: null };
        expect((await of("left"))[0]).toEqual({ ...first, ...open });
        expect(await bulk().counts(lease.id)).toEqual({ left: 27, refused: 3 });
      });

      cutTest("a page is there whole with its progress, or not at all, wherever it is cut", async () => {
        const page = upTo(250);
        const tried: CutTry = async (cut) => {
          await onceAgain(begin);
          await cut(() => bulk().addItems(lease, page, { page: 1 }));
          const added = (await onceAgain(() => bulk().get(lease.id)))?.progress !== null;
          const items = await onceAgain(() =>
            bulk().items({ id: lease.id, outcome: null, afterSeq: null, limit: 1000 }),
          );
          expect(items).toHaveLength(added ? page.length : 0);
          expect(await onceAgain(() => bulk().counts(lease.id))).toEqual(added ? { left: page.length } : {});
          // The second attempt may find fewer messages than the first.
          const rest = added ? [itemOf(251)] : page.slice(0, 120);
          await onceAgain(() => bulk().addItems(lease, rest, { page: 2 }));
          const expected = added ? 251 : 120;
          const all = await bulk().items({ id: lease.id, outcome: null, afterSeq: null, limit: 1000 });
          expect(seqs(all)).toEqual(seqs(upTo(expected) as never));
          expect(await bulk().counts(lease.id)).toEqual({ left: expected });
          await onceAgain(() => endOne(bulk(), lease.id));
          return added;
        };
        expect(await cutEach(desk.database, tried)).toBeGreaterThan(0);
      });
    });

    describe("settled by their runner", () => {
      test("get what became of a retry only once it was done, and anything else only before", async () => {
        await begin();
        const items = await deadItems(desk, lease, 5);
        expect((await perform(items.slice(0, 3))).map(({ failure }) => failure)).toEqual([null, null, null]);
        const released = await bulk().released(lease.id, null, 10);
        expect(seqs(released)).toEqual([1, 2, 3]);
        expect(seqs(await bulk().released(lease.id, 1, 1))).toEqual([2]);
        // A runner whose act was done but whose answer was lost reports item 2 as skipped.
        const told = [result(1, "published"), result(2, "skipped"), result(4, "published"), result(5, "skipped", "no")];
        expect(await bulk().settle(lease, told)).toBe(true);
        const outcomes = () => outcomesOf(bulk(), lease.id).then((found) => [...found.values()]);
        expect(await outcomes()).toEqual(["published", "released", "released", null, "skipped"]);
        const late = [result(1, "failed_again"), result(3, "failed_again", "HTTP 500"), result(5, "refused")];
        expect(await bulk().settle(lease, late)).toBe(true);
        expect(await outcomes()).toEqual(["published", "released", "failed_again", null, "skipped"]);
        const all = await bulk().items({ id: lease.id, outcome: null, afterSeq: null, limit: 10 });
        const settledAt = expect.any(String);
        expect(all[0]).toMatchObject({ message: released[0]?.message, actedAt: released[0]?.actedAt, settledAt });
        expect(all[1]).toMatchObject({ actedAt: expect.any(String), settledAt: null });
        expect(all[2]).toMatchObject({ code: "http_500", message: "HTTP 500", settledAt });
        expect(all[4]).toMatchObject({ message: "no", actedAt: null, settledAt });
        const counts = { published: 1, released: 1, failed_again: 1, left: 1, skipped: 1 };
        expect(await bulk().counts(lease.id)).toEqual(counts);
      });

      test("of a cancelled operation: those that are left, so many at a time", async () => {
        await begin();
        await bulk().addItems(lease, upTo(130), null);
        await bulk().settle(lease, [result(1, "skipped")]);
        expect(await bulk().cancelLeft(lease, 120)).toBe(120);
        expect(await bulk().counts(lease.id)).toEqual({ skipped: 1, cancelled: 120, left: 9 });
        expect(await bulk().cancelLeft(lease, 120)).toBe(9);
        expect(await bulk().cancelLeft(lease, 120)).toBe(0);
        expect(await bulk().counts(lease.id)).toEqual({ skipped: 1, cancelled: 129 });
      });

      test("hundreds at once", async () => {
        await begin();
        const items = upTo(230);
        await bulk().addItems(lease, items, null);
        const skipped = items.map(({ seq }) => result(seq, "skipped", seq % 2 === 0 ? `${seq}` : "it's \\ 'odd'"));
        expect(await bulk().settle(lease, skipped)).toBe(true);
        expect(await bulk().counts(lease.id)).toEqual({ skipped: 230 });
        const found = await bulk().items({ id: lease.id, outcome: "skipped", afterSeq: 228, limit: 10 });
        expect(found.map(({ message }) => message)).toEqual(["it's \\ 'odd'", "230"]);
      });
    });

    describe("acted on", () => {
      test("have their outcome with the act; what is not possible fails alone, and has none", async () => {
        await begin();
        const [one, two, stale, gone, last] = (await deadItems(desk, lease, 5)) as [ItemRow, ...ItemRow[]];
        const asked = [one, two, { ...stale, version: "old" }, { ...gone, messageId: randomUUID() }, last];
        const acts = await perform(asked as ItemRow[]);
        expect(acts.map(({ seq, failure }) => [seq, failure?.code ?? null])).toEqual([
          ...[[1, null] as const, [2, null] as const],
          ...[[3, "conflict"] as const, [4, "not_found"] as const, [5, null] as const],
        ]);
        const outcomes = await outcomesOf(bulk(), lease.id);
        expect([...outcomes.values()]).toEqual(["released", "released", null, null, "released"]);
        expect(await statesOf([one, stale as ItemRow, last as ItemRow])).toEqual(["pending", "dead", "pending"]);
        const [first] = await bulk().released(lease.id, null, 1);
        expect(first).toMatchObject({ message: expect.stringContaining("Due now"), settledAt: null, code: null });
        expect(first?.actedAt).toEqual(expect.any(String));
        expect(await desk.auditOf(one.messageId)).toEqual([]);
        const done = await desk.outbox.act.performItems([verbOf(lease.id, "archive")(stale as ItemRow)]);
        expect(done.map(({ failure }) => failure)).toEqual([null]);
        const [archived] = await bulk().items({ id: lease.id, outcome: "done", afterSeq: null, limit: 10 });
        expect(archived).toMatchObject({ seq: 3, settledAt: expect.any(String), actedAt: expect.any(String) });
      });

      test("in one call of more than a few, are done or fail alone, and are due in the order given", async () => {
        await begin();
        const items = await deadItems(desk, lease, 24);
        expect(desk.outbox.act.itemsAtOnce).toBeGreaterThan(0);
        const stale = items.map((item) => (item.seq % 8 === 0 ? { ...item, version: "old" } : item));
        const failed: number[] = [];
        // An engine may leave out the last items.
        for (let next = stale; next.length > 0; ) {
          const acts = await perform(next);
          expect(seqs(next).slice(0, acts.length)).toEqual(acts.map(({ seq }) => seq));
          failed.push(...acts.flatMap(({ seq, failure }) => (failure?.code === "conflict" ? [seq] : [])));
          expect(acts.every(({ failure }) => failure === null || failure.code === "conflict")).toBe(true);
          next = next.slice(acts.length);
        }
        expect(failed).toEqual([8, 16, 24]);
        expect(await bulk().counts(lease.id)).toEqual({ released: 21, left: 3 });
      });

      test("are never acted on again, though the message could be", async () => {
        await begin();
        const [skipped, retried] = (await deadItems(desk, lease, 2)) as [ItemRow, ItemRow];
        await bulk().settle(lease, [result(1, "skipped")]);
        await perform([retried]);
        await desk.act("dead-letter", retried.messageId);
        const before = await Promise.all([skipped, retried].map(({ messageId }) => desk.photo(messageId)));
        const versions = await Promise.all([skipped, retried].map(({ messageId }) => desk.versionOf(messageId)));
        const again = [skipped, retried].map((item, n) => ({ ...item, version: versions[n] ?? "" }));
        for (const items of [again, again.slice(0, 1), again.slice(1)])
          expect((await perform(items)).map(({ failure }) => failure?.code)).toEqual(items.map(() => "conflict"));
        expect(await Promise.all([skipped, retried].map(({ messageId }) => desk.photo(messageId)))).toEqual(before);
        expect([...(await outcomesOf(bulk(), lease.id)).values()]).toEqual(["skipped", "released"]);
      });

      test("by two runners at once are each done by one", async () => {
        await begin();
        const items = await deadItems(desk, lease, 24);
        const turns = Array.from({ length: 4 }, (_, n) => items.slice(n * 6, n * 6 + 6));
        const done: number[] = [];
        const note = (acts: readonly ItemAct[]) => done.push(...acts.flatMap((act) => (act.failure ? [] : act.seq)));
        for (const turn of turns) {
          const both = await Promise.all([perform(turn), perform(turn, otherOutbox)]);
          for (const acts of both) note(acts);
        }
        // An item that was in use when both tried it is tried again.
        await onceAgain(() => workOff(note));
        expect(done.toSorted((one, two) => one - two)).toEqual(seqs(items));
        expect(await statesOf(items)).toEqual(items.map(() => "pending"));
      });

      cutTest("are acted on and have their outcome, or neither, wherever it is cut", async () => {
        let statements = 0;
        for (const when of CUT_SIDES)
          for (let nth = 1, struck = true; struck; nth += 1) {
            await onceAgain(begin);
            const items = await onceAgain(() => deadItems(desk, lease, 2));
            const cut = await underCut({ database: desk.database, nth, when }, () => perform(items));
            struck = cut.struck;
            statements = Math.max(statements, nth);
            const outcomes = await onceAgain(() => outcomesOf(bulk(), lease.id));
            const acted = (await onceAgain(() => statesOf(items))).map((state) => state === "pending");
            expect([...outcomes.values()], `cut ${when} ${nth}`).toEqual(acted.map((is) => (is ? "released" : null)));
            await onceAgain(() => workOff());
            expect([...(await outcomesOf(bulk(), lease.id)).values()]).toEqual(["released", "released"]);
            await onceAgain(() => endOne(bulk(), lease.id));
          }
        expect(statements).toBeGreaterThan(2);
      });
    });

    test("of operations that ended long ago are deleted in batches, and those of others stay", async () => {
      const { deleteOldItems } = bulk();
      if (!deleteOldItems) return;
      await begin();
      await bulk().addItems(lease, upTo(3), null);
      await bulk().settle(lease, [result(1, "skipped"), result(2, "skipped"), result(3, "skipped")]);
      await bulk().save(lease, { leaseMs: 1, progress: { counts: 3 }, change: { from: "selecting", to: "finished" } });
      const ended = lease.id;
      await begin();
      await bulk().addItems(lease, upTo(2), null);
      const open = await bulk().unended({ outboxes: null, limit: 10 });
      expect(open.map(({ id }) => id)).toEqual([lease.id]);
      expect(await deleteOldItems(1, 100)).toBe(0);
      let gone = 0;
      for (let batch = await deleteOldItems(0, 2); batch > 0; batch = await deleteOldItems(0, 2)) gone += batch;
      expect(gone).toBeGreaterThanOrEqual(3);
      expect((await outcomesOf(bulk(), ended)).size).toBe(0);
      expect(await bulk().get(ended)).toMatchObject({ state: "finished", progress: { counts: 3 } });
      expect((await outcomesOf(bulk(), lease.id)).size).toBe(2);
    });

    test("of one that is paused or has halted is among those that have not ended", async () => {
      await begin();
      await bulk().save(lease, { leaseMs: 1, change: { from: "selecting", to: "halted" } });
      const unended = await bulk().unended({ outboxes: ["orders", "elsewhere"], limit: 10 });
      expect(unended.map(({ id, state }) => ({ id, state }))).toContainEqual({ id: lease.id, state: "halted" });
      expect(await bulk().unended({ outboxes: ["elsewhere"], limit: 10 })).toEqual([]);
      await bulk().save(lease, { leaseMs: 1, change: { from: "halted", to: "finished" } });
    });
  });
}
