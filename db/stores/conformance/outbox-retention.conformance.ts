import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AppError } from "#domain/errors.ts";
import type { OutboxRetention, RetentionRule } from "../port/retention.ts";
import { underCut } from "./cut-each.fixture.ts";
import { openOutbox } from "./open-outbox.fixture.ts";
import { type OperatorDesk, openDesk, statesOf } from "./operator-desk.fixture.ts";
import { byName, CUT_SIDES, type Layout, NO_ROW_LOCKS, type StoreUnderTest } from "./store-under-test.fixture.ts";

/** Layouts that date a published row by the time of publishing, and by its creation. */
const AGED: readonly Layout[] = [byName("timestamp"), byName("status")];
const DELETE: RetentionRule = { keepSeconds: 3600, how: "delete", reader: null };
const OLD = new Date(Date.now() - 2 * 86_400_000).toISOString();
const OLD_ROW = { state: "published" as const, createdAt: OLD, publishedAt: OLD };
const BATCH = { limit: 100, after: null, timeoutMs: 5_000 };

/** Requirements of every engine that removes old rows. */
export function describeRetention(engine: StoreUnderTest): void {
  describe.each(AGED)(`retention of ${engine.kind}, on a table with $name`, (layout) => {
    let desk: OperatorDesk;
    let retention: OutboxRetention;
    beforeEach(async () => {
      desk = await openDesk(engine, layout);
      retention = required(desk.outbox.retention);
    });
    afterEach(() => desk.close());

    const old = (rows: number) => desk.table.insert(Array(rows).fill(OLD_ROW));
    const begin = () => retention.begin({ subject: "published", rule: "published 1 h, then delete" });
    const left = async (ids: readonly string[]) => {
      const rows = await Promise.all(ids.map((id) => desk.table.row(id)));
      return ids.filter((_, index) => rows[index] !== null);
    };

    test("removes what is published and old, and leaves every other row as it was", async () => {
      const states = statesOf(layout, engine).filter((state) => state !== "archived" && state !== "in_flight");
      const others = new Map<string, unknown>();
      for (const state of states.filter((one) => one !== "published")) {
        const id = await desk.put(state, { createdAt: OLD });
        others.set(id, await desk.photo(id));
      }
      const young = await desk.put("published");
      const gone = await old(3);
      const run = await begin();
      const removed = await retention.removeSome(DELETE, { ...BATCH, run });
      expect(removed).toMatchObject({ rows: 3, kept: [], next: null });
      expect(await left([...gone, young])).toEqual([young]);
      for (const [id, before] of others) expect(await desk.photo(id)).toEqual(before);
    });

    test("goes on where the last batch ended, the oldest first, and counts every row in the run", async () => {
      const ids = await old(5);
      const run = await begin();
      const first = await retention.removeSome(DELETE, { ...BATCH, limit: 2, run });
      expect([first.rows, await left(ids)]).toEqual([2, expect.any(Array)]);
      const second = await retention.removeSome(DELETE, { ...BATCH, limit: 2, run, after: first.next });
      const third = await retention.removeSome(DELETE, { ...BATCH, limit: 2, run, after: second.next });
      expect([second.rows, third.rows, third.next, await left(ids)]).toEqual([2, 1, null, []]);
      await retention.end(run, "done", null);
      expect(await retention.runs(5)).toMatchObject([{ id: run, rows: 5, end: "done", rule: expect.any(String) }]);
    });

    test("a dry run says what would go, and changes nothing", async () => {
      const ids = await old(3);
      const preview = await retention.preview(DELETE);
      expect(preview).toMatchObject({
        ...{ rows: { value: 3, precision: "exact" }, kept: [] },
        ageOf: layout.lifecycle === "timestamp" ? "published" : "created",
      });
      expect(preview.bytes).toBeGreaterThan(0);
      expect(preview.statement).toMatch(/^DELETE FROM /);
      expect(await left(ids)).toEqual(ids);
    });

    test("a row that another session has locked stays for the next time", async (ctx) => {
      if (!desk.table.lockRow) return ctx.skip(NO_ROW_LOCKS);
      const [locked = "", ...free] = await old(3);
      const lock = await desk.table.lockRow(locked);
      const run = await begin();
      expect(await retention.removeSome(DELETE, { ...BATCH, run })).toMatchObject({ rows: 2 });
      expect(await left([locked, ...free])).toEqual([locked]);
      await lock.release();
      expect(await retention.removeSome(DELETE, { ...BATCH, run })).toMatchObject({ rows: 1 });
    });

    test("a row that an operation has yet to finish with stays, and says why", async () => {
      const [needed = "", free = ""] = await old(2);
      const operation = {
        ...{ id: randomUUID(), outbox: "orders", action: "archive", reason: "r", requestHash: "h" },
        ...{ actor: { name: "ada", role: "admin" as const }, idempotencyKey: null },
      };
      const record = (finished: boolean) => ({ id: operation.id, finished, outcomes: [{ id: needed }] });
      await desk.store.records.beginOperation(operation, () => record(false));
      const run = await begin();
      const kept = [{ reason: "an operation that is not finished has them", rows: 1 }];
      expect(await retention.removeSome(DELETE, { ...BATCH, run })).toMatchObject({ rows: 1, kept });
      expect(await left([needed, free])).toEqual([needed]);
      expect((await retention.preview(DELETE)).kept).toEqual(kept);
      await desk.store.records.finishOperation(operation, record(true));
      expect(await retention.removeSome(DELETE, { ...BATCH, run })).toMatchObject({ rows: 1, kept: [] });
    });

    test("a row that an operation over a filter has yet to finish with stays", async (ctx) => {
      const { bulk } = desk.store.records;
      if (!bulk) return ctx.skip("by capability: this engine keeps no bulk operations");
      const [needed = "", free = ""] = await old(2);
      const id = randomUUID();
      await bulk.begin({
        ...{ id, outbox: "orders", action: "archive", reason: "r", requestHash: "h", idempotencyKey: null },
        ...{ actor: { name: "ada", role: "admin" as const }, plan: {}, detail: "published messages" },
      });
      const taken = await bulk.take("test", 60_000);
      const lease = { id, fence: taken?.fence ?? 0 };
      const item = { seq: 1, messageId: needed, version: "1", eventType: null, aggregateId: null, refused: null };
      await bulk.addItems(lease, [{ ...item, stateBefore: "published" }], {});
      const run = await begin();
      const kept = [{ reason: "an operation that is not finished has them", rows: 1 }];
      expect(await retention.removeSome(DELETE, { ...BATCH, run })).toMatchObject({ rows: 1, kept });
      expect(await left([needed, free])).toEqual([needed]);
      await bulk.save(lease, { leaseMs: 1, change: { from: "selecting", to: "finished" } });
      expect(await retention.removeSome(DELETE, { ...BATCH, run })).toMatchObject({ rows: 1, kept: [] });
    });

    test("removes nothing once the table no longer fits the accepted mapping", async (ctx) => {
      if (!desk.table.renamePayloadColumn) return ctx.skip();
      const ids = await old(2);
      const run = await begin();
      await desk.table.renamePayloadColumn();
      await expect(retention.removeSome(DELETE, { ...BATCH, run })).rejects.toThrow(AppError);
      expect(await left(ids)).toEqual(ids);
    });

    test("refuses a table whose rows others reference", async (ctx) => {
      if (!desk.table.keepRows) return ctx.skip();
      expect(await retention.refuses(DELETE)).toBe(null);
      await desk.table.keepRows();
      expect(await retention.refuses(DELETE)).toMatch(/foreign key/);
      await expect(retention.preview(DELETE)).rejects.toMatchObject({ code: "wrong_state" });
    });

    test("an archived row can be restored as it was, and is purged when its time has passed", async () => {
      const [id = ""] = await old(1);
      const before = await desk.table.row(id);
      const run = await begin();
      const archive = { ...DELETE, how: "archive" as const };
      expect(await retention.removeSome(archive, { ...BATCH, run })).toMatchObject({ rows: 1 });
      expect(await desk.table.row(id)).toBe(null);
      await desk.act("restore", id);
      expect(await desk.table.row(id)).toEqual(before);
      // A reader of the log may read a restored message again, so it stays.
      expect(await retention.removeSome(archive, { ...BATCH, run })).toMatchObject({ rows: 0, kept: [{ rows: 1 }] });
      const [other = ""] = await old(1);
      await retention.removeSome(archive, { ...BATCH, run });
      expect(await retention.purgeArchived(3600, { ...BATCH, run })).toMatchObject({ rows: 0 });
      expect(await retention.purgeArchived(0, { ...BATCH, run })).toMatchObject({ rows: 1, next: null });
      expect(await desk.outbox.read.message(other)).toBe(null);
    });

    test("tells the clock by which rows are old", async () => {
      const { databaseTimeMs } = await retention.pressure();
      expect(Math.abs(databaseTimeMs - Date.now())).toBeLessThan(60_000);
    });

    test("two that remove at once remove each row once", async () => {
      const ids = await old(40);
      const other = required((await openOutbox(desk.database.openStore(), desk.table)).retention);
      const runs = await Promise.all([begin(), begin()]);
      const drain = async (by: OutboxRetention, run: string) => {
        let rows = 0;
        for (let batch = 0; batch < 20; batch += 1)
          rows += (await by.removeSome(DELETE, { ...BATCH, limit: 4, run })).rows;
        return rows;
      };
      const [one, two] = await Promise.all([drain(retention, runs[0]), drain(other, runs[1])]);
      expect([one + two, await left(ids)]).toEqual([40, []]);
      const counted = (await retention.runs(5)).reduce((sum, { rows }) => sum + rows, 0);
      expect(counted).toBe(40);
    });

    test("a policy is audited once, and again when it changes", async () => {
      const rules = ["published 1 h, then delete", "published 1 h, then delete", "published 2 h, then delete"];
      for (const rule of rules)
        await retention.end(await retention.begin({ subject: "published", rule }), "done", null);
      const audit = await desk.store.records.audit({
        filter: { action: "retention.activate" },
        ...{ before: null, limit: 10 },
      });
      expect(audit.map(({ detail }) => detail)).toEqual([rules[2], rules[0]]);
    });
  });

  if (engine.sparing) return;
  describe(`retention of ${engine.kind} that is cut`, () => {
    test("at any statement: what the run counts is what has gone", async () => {
      const desk = await openDesk(engine, byName("timestamp"), { cuttable: true });
      const retention = required(desk.outbox.retention);
      const run = await retention.begin({ subject: "published", rule: "published 1 h, then archive" });
      let inserted = 0;
      for (const when of CUT_SIDES)
        for (let nth = 1, cut = true; cut; nth += 1) {
          const ids = await desk.table.insert([OLD_ROW, OLD_ROW]);
          inserted += ids.length;
          const rule = { ...DELETE, how: "archive" as const };
          const result = await underCut({ database: desk.database, nth, when }, () =>
            retention.removeSome(rule, { ...BATCH, run }),
          );
          cut = result.struck;
          const waiting = (await Promise.all(ids.map((id) => desk.table.row(id)))).filter((row) => row !== null);
          // Both rows or none, because they are in one transaction.
          expect(waiting.length % 2, `cut ${when} statement ${nth}`).toBe(0);
        }
      const counted = await openRuns(desk);
      expect(counted).toBe(inserted);
      await desk.close();
    });
  });
}

/** Reads through a store whose connections were not cut. */
async function openRuns(desk: OperatorDesk): Promise<number> {
  const outbox = await openOutbox(desk.database.openStore(), desk.table);
  return (await required(outbox.retention).runs(1))[0]?.rows ?? 0;
}

function required(retention: OutboxRetention | null): OutboxRetention {
  if (!retention) throw new Error("This engine removes no rows.");
  return retention;
}
