import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type InboxPageRequest, type InboxReader, MOST_LOOKED_UP } from "../port/inbox-reader.ts";
import type { DatabaseUnderTest, InboxLayout, InboxUnderTest, StoreUnderTest } from "./store-under-test.fixture.ts";

const RECEIVED = "2026-03-01T10:00:00.000000Z";
const PROCESSED = "2026-03-01T10:00:05.123456Z";
const LATER = "2026-03-02T10:00:00.000000Z";

const STATES = ["processed", "unprocessed", "failed"] as const;

/** Requirements of every engine for reading an inbox or a table of processed events in the console. */
export function describeInboxReader(engine: StoreUnderTest): void {
  describe(`${engine.kind} as an inbox to read`, () => {
    let database: DatabaseUnderTest;
    let table: InboxUnderTest;
    let inbox: InboxReader;

    beforeEach(async () => {
      database = await engine.createDatabase();
    });
    afterEach(() => database.drop());

    const open = async (layout: InboxLayout) => {
      table = await database.createInbox(layout);
      inbox = database.openStore().inbox(table.name, table.mapping);
    };
    const list = (filter: Partial<InboxPageRequest["filter"]> = {}, more: { cursor?: string; limit?: number } = {}) =>
      inbox.list({ filter: { state: "all", ...filter }, limit: 100, ...more });
    const idsOf = async (filter: Partial<InboxPageRequest["filter"]>) =>
      (await list(filter)).rows.map(({ messageId }) => messageId).sort();

    test("tells what was received from what was processed, alike in counts and lists", async () => {
      await open("time");
      await table.insert([
        { messageId: "1", receivedAt: RECEIVED, processedAt: PROCESSED },
        { messageId: "2", receivedAt: RECEIVED, processedAt: null },
      ]);
      expect(await inbox.figures()).toMatchObject({
        total: { value: 2, precision: "exact" },
        unprocessed: { value: 1, precision: "exact" },
        lastProcessedAt: PROCESSED,
      });
      expect((await inbox.figures()).oldestUnprocessedSeconds).toBeGreaterThan(0);
      expect(await idsOf({ state: "processed" })).toEqual(["1"]);
      expect(await idsOf({ state: "unprocessed" })).toEqual(["2"]);
      const { rows } = await list({ state: "processed" });
      expect(rows[0]).toMatchObject({ state: "processed", receivedAt: RECEIVED, processedAt: PROCESSED });
    });

    test("a table of processed events has nothing unprocessed", async () => {
      await open("always");
      await table.insert([{ messageId: "1", processedAt: PROCESSED }]);
      expect(await inbox.figures()).toMatchObject({ unprocessed: { value: 0 }, oldestUnprocessedSeconds: null });
      expect((await list()).rows).toEqual([expect.objectContaining({ messageId: "1", state: "processed" })]);
      expect(await idsOf({ state: "unprocessed" })).toEqual([]);
    });

    test.each(["error", "flag", "status"] as const)(
      "by %s: a failure is neither processed nor waiting",
      async (layout) => {
        await open(layout);
        const states = layout === "flag" ? (["processed", "unprocessed"] as const) : STATES;
        await table.insert(
          states.map((state) => ({ messageId: state, state, processedAt: state === "unprocessed" ? null : PROCESSED })),
        );
        for (const state of STATES)
          expect(await idsOf({ state }), state).toEqual(states.filter((one) => one === state));
        for (const { messageId, state } of (await list()).rows) expect(state).toBe(messageId);
        for (const state of states) expect(await inbox.sightings(state)).toMatchObject([{ state }]);
        expect(await inbox.figures()).toMatchObject({
          total: { value: states.length },
          unprocessed: { value: 1, precision: "exact" },
          failed: { value: layout === "flag" ? 0 : 1, precision: "exact" },
        });
      },
    );

    test("a table without a mark says received, and never processed", async () => {
      await open("none");
      await table.insert([{ messageId: "1", receivedAt: RECEIVED, processedAt: null }]);
      expect((await list()).rows).toEqual([expect.objectContaining({ state: "received", processedAt: null })]);
      expect(await inbox.sightings("1")).toEqual([{ consumer: "billing", state: "received", at: RECEIVED }]);
      for (const state of STATES) expect(await idsOf({ state })).toEqual([]);
      expect(await inbox.figures()).toMatchObject({
        total: { value: 1 },
        unprocessed: { value: 0 },
        lastProcessedAt: null,
      });
    });

    test("filters by consumer and by message, whatever letters they have", async () => {
      await open("time");
      const odd = "zoë 漢字 'x' %_";
      await table.insert([
        { messageId: odd, consumer: "billing", processedAt: null },
        { messageId: "2", consumer: "mailer 😀", processedAt: PROCESSED },
      ]);
      expect(await idsOf({ consumer: "mailer 😀" })).toEqual(["2"]);
      expect(await idsOf({ q: odd })).toEqual([odd]);
      expect(await idsOf({ q: "zo% 'x' %_" })).toEqual([]);
    });

    test("pages through all rows, each once, while others arrive", async () => {
      await open("time");
      const ids = Array.from({ length: 25 }, (_, n) => `message-${String(n).padStart(2, "0")}`);
      await table.insert(ids.map((messageId) => ({ messageId, receivedAt: RECEIVED, processedAt: null })));
      const seen: (string | null)[] = [];
      let cursor: string | null | undefined;
      for (let pages = 0; cursor !== null; pages++) {
        const page = await list({}, { limit: 4, ...(cursor ? { cursor } : {}) });
        seen.push(...page.rows.map(({ messageId }) => messageId));
        cursor = page.nextCursor;
        await table.insert([{ messageId: `new-${pages}`, processedAt: null }]);
        expect(pages, "the newcomers do not keep the list from ending").toBeLessThan(60);
      }
      expect(seen).toHaveLength(new Set(seen).size);
      expect(seen.filter((id) => ids.includes(id ?? "")).sort()).toEqual(ids);
    });

    test("names every consumer that has seen an event, and whether it is done with it", async () => {
      await open("time");
      await table.insert([
        { messageId: "1", consumer: "billing", processedAt: PROCESSED },
        { messageId: "1", consumer: "mailer", processedAt: null },
        { messageId: "2", consumer: "billing", processedAt: null },
      ]);
      const seen = [...(await inbox.sightings("1"))].sort((one, other) =>
        (one.consumer ?? "").localeCompare(other.consumer ?? ""),
      );
      expect(seen).toEqual([
        { consumer: "billing", state: "processed", at: PROCESSED },
        expect.objectContaining({ consumer: "mailer", state: "unprocessed" }),
      ]);
      expect(await inbox.sightings("3")).toEqual([]);
    });

    test("looks up many messages at once, of one consumer or of all, whatever letters their ids have", async () => {
      await open("time");
      const odd = "zoë 漢字 'x' %_";
      await table.insert([
        { messageId: odd, consumer: "billing", processedAt: PROCESSED },
        { messageId: "2", consumer: "billing", receivedAt: RECEIVED, processedAt: null },
        { messageId: "2", consumer: "mailer", processedAt: PROCESSED },
        { messageId: "3", consumer: "mailer", processedAt: PROCESSED },
        { messageId: "not asked for", processedAt: PROCESSED },
      ]);
      const many = Array.from({ length: MOST_LOOKED_UP - 4 }, (_, n) => `absent-${n}`);
      const messageIds = ["2", odd, "3", "\0", ...many];
      const found = async (consumer: string | null) =>
        (await inbox.lookUp({ messageIds, consumer })).rows
          .map(({ messageId, consumer: by, state }) => `${messageId} ${by} ${state}`)
          .sort();
      expect(await found("billing")).toEqual(["2 billing unprocessed", `${odd} billing processed`].sort());
      expect(await found(null)).toHaveLength(4);
      const { rows, asOf } = await inbox.lookUp({ messageIds: ["3"], consumer: null });
      expect(rows).toEqual([{ messageId: "3", consumer: "mailer", state: "processed", at: PROCESSED }]);
      expect(Math.abs(Date.parse(asOf) - Date.now())).toBeLessThan(60_000);
      expect((await inbox.lookUp({ messageIds: [], consumer: null })).rows).toEqual([]);
    });

    test("the oldest row that is done says how far back the inbox goes, and an open one does not", async () => {
      await open("time");
      expect(await inbox.oldestDone(null)).toMatchObject({ at: null, asOf: expect.any(String) });
      await table.insert([
        { messageId: "1", consumer: "billing", receivedAt: RECEIVED, processedAt: null },
        { messageId: "2", consumer: "mailer", receivedAt: RECEIVED, processedAt: LATER },
        { messageId: "3", consumer: "billing", receivedAt: RECEIVED, processedAt: PROCESSED },
      ]);
      expect((await inbox.oldestDone(null)).at).toBe(PROCESSED);
      expect((await inbox.oldestDone("mailer")).at).toBe(LATER);
      expect((await inbox.oldestDone("nobody")).at).toBeNull();
    });

    test.each(["none", "always"] as const)("by %s: the oldest row that is done", async (layout) => {
      await open(layout);
      await table.insert([
        { messageId: "1", state: "processed", receivedAt: RECEIVED, processedAt: LATER },
        { messageId: "2", state: "processed", receivedAt: RECEIVED, processedAt: PROCESSED },
      ]);
      expect((await inbox.oldestDone(null)).at).toBe(layout === "none" ? RECEIVED : PROCESSED);
    });
  });
}
