import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { InboxRetention } from "../port/inbox-retention.ts";
import type { DatabaseUnderTest, InboxLayout, InboxUnderTest, StoreUnderTest } from "./store-under-test.fixture.ts";

const DAY_SECONDS = 86_400;
const BATCH = { limit: 100, after: null, timeoutMs: 5_000 };
const OLD = new Date(Date.now() - 30 * DAY_SECONDS * 1000).toISOString().replace("Z", "000Z");
const YOUNG = new Date(Date.now() - DAY_SECONDS * 1000).toISOString().replace("Z", "000Z");
const MARKED = ["time", "error", "flag", "status"] as const satisfies readonly InboxLayout[];

/** Requirements of every engine that removes old rows of inboxes: consumers must lose nothing that they need. */
export function describeInboxRetention(engine: StoreUnderTest): void {
  describe(`retention of inboxes in ${engine.kind}`, () => {
    let database: DatabaseUnderTest;
    let table: InboxUnderTest;
    let retention: InboxRetention;
    let left: () => Promise<string[]>;

    beforeEach(async () => {
      database = await engine.createDatabase();
    });
    afterEach(() => database.drop());

    const open = async (layout: InboxLayout) => {
      const store = database.openStore();
      table = await database.createInbox(layout);
      const port = store.inboxRetention(table.name, table.mapping);
      if (!port) throw new Error("This engine removes no rows of inboxes.");
      retention = port;
      left = async () => {
        const page = await store.inbox(table.name, table.mapping).list({ filter: { state: "all" }, limit: 100 });
        return page.rows.map(({ messageId }) => messageId ?? "").sort();
      };
    };

    test.each(MARKED)("by %s: only processed rows go, and only old ones", async (layout) => {
      await open(layout);
      await table.insert([
        { messageId: "a-old", receivedAt: OLD, processedAt: OLD, state: "processed" },
        { messageId: "b-young", receivedAt: YOUNG, processedAt: YOUNG, state: "processed" },
        { messageId: "c-open", receivedAt: OLD, processedAt: null, state: "unprocessed" },
        { messageId: "d-failed", receivedAt: OLD, processedAt: layout === "error" ? OLD : null, state: "failed" },
      ]);
      const preview = await retention.preview(10 * DAY_SECONDS);
      expect(preview).toMatchObject({ rows: { value: 1, precision: "exact" }, onlyProcessed: true, oldestAt: OLD });
      const run = await retention.begin("processed 10 d");
      expect(await retention.removeSome(10 * DAY_SECONDS, { ...BATCH, run })).toMatchObject({ rows: 1, next: null });
      expect(await left()).toEqual(["b-young", "c-open", "d-failed"]);
    });

    test("without a mark the time of receipt counts, and goes on where the last batch ended", async () => {
      await open("none");
      await table.insert(["1", "2", "3"].map((messageId) => ({ messageId, receivedAt: OLD, processedAt: null })));
      expect(await retention.preview(10 * DAY_SECONDS)).toMatchObject({ ageOf: "received", onlyProcessed: false });
      const run = await retention.begin("processed 10 d");
      const first = await retention.removeSome(10 * DAY_SECONDS, { ...BATCH, limit: 2, run });
      const second = await retention.removeSome(10 * DAY_SECONDS, { ...BATCH, limit: 2, run, after: first.next });
      expect([first.rows, second.rows, second.next, await left()]).toEqual([2, 1, null, []]);
      await retention.end(run, "done", null);
      expect(await retention.runs(5)).toMatchObject([{ id: run, subject: "inbox billing", rows: 3, end: "done" }]);
    });

    test("a run that removed nothing takes the place of the last one only if its rule is the same", async () => {
      await open("always");
      for (const rule of ["processed 10 d", "processed 20 d", "processed 20 d"])
        await retention.end(await retention.begin(rule), "done", null);
      expect((await retention.runs(5)).map(({ rule }) => rule)).toEqual(["processed 20 d", "processed 10 d"]);
    });

    test("a batch that no run counts removes nothing", async () => {
      await open("always");
      await table.insert([{ messageId: "1", processedAt: OLD }]);
      const run = "00000000-0000-4000-8000-000000000000";
      await expect(retention.removeSome(DAY_SECONDS, { ...BATCH, run })).rejects.toMatchObject({ code: "not_found" });
      expect(await left()).toEqual(["1"]);
    });
  });
}
