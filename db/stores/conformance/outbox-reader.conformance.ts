import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MESSAGE_STATES, type MessageState } from "#domain/message/message-state.ts";
import type { MessageFilter } from "../port/message-row.ts";
import { isSameVersion } from "../port/seen-version.ts";
import type { OutboxStore, Store } from "../port/store.ts";
import { DEAD, failed, openOutbox, openRelayHand, type RelayHand } from "./open-outbox.fixture.ts";
import {
  type DatabaseUnderTest,
  type Layout,
  NO_RELAY,
  type OutboxUnderTest,
  type StoreUnderTest,
  tellsNatively,
} from "./store-under-test.fixture.ts";

const AN_HOUR_MS = 3_600_000;

/** Requirements of every engine for reading an outbox in the console. */
export function describeOutboxReader(engine: StoreUnderTest): void {
  describe(`${engine.kind} as an outbox to read`, () => {
    let database: DatabaseUnderTest;
    let store: Store;
    let table: OutboxUnderTest;
    let outbox: OutboxStore;
    let relay: RelayHand | null = null;

    const open = async (layout: Layout) => {
      table = await database.createOutbox(layout);
      outbox = await openOutbox(store, table);
    };
    const startRelay = async () => {
      relay = openRelayHand(outbox);
      await relay.acquire();
      return relay;
    };
    const list = (filter: MessageFilter, more: { cursor?: string; limit?: number } = {}) =>
      outbox.read.list({ filter, limit: 100, ...more });
    const idsOf = async (filter: MessageFilter) => (await list(filter)).rows.map(({ id }) => id);

    beforeEach(async () => {
      database = await engine.createDatabase();
      store = database.openStore();
    });
    afterEach(async () => {
      await relay?.table.close();
      relay = null;
      await database.drop();
    });

    /** Counts, lists and details of all states, which must agree. */
    const expectStates = async (expected: Partial<Record<MessageState, string[]>>) => {
      const { counts } = await outbox.read.figures();
      for (const state of MESSAGE_STATES) {
        const ids = [...(expected[state] ?? [])].sort();
        expect(counts[state], state).toEqual({ value: ids.length, precision: "exact" });
        const { rows } = await list({ state });
        expect(rows.map(({ id }) => id).sort(), state).toEqual(ids);
        for (const row of rows) {
          const message = await outbox.read.message(row.id);
          expect(message?.row).toMatchObject({ id: row.id, state });
          expect(isSameVersion(message?.row.version ?? "", row.version), row.id).toBe(true);
        }
      }
      const unsent = [...(expected.pending ?? []), ...(expected.failed ?? []), ...(expected.in_flight ?? [])];
      expect((await idsOf({ state: "unsent" })).sort()).toEqual(unsent.sort());
    };

    describe.each(engine.layouts)("a table with $name", (layout) => {
      beforeEach(() => open(layout));

      test("says each state of its own alike in counts, lists and details", async () => {
        const expected: Partial<Record<MessageState, string[]>> = {};
        for (const state of tellsNatively(layout)) {
          expected[state] = await table.insert([{ state }, { state, aggregateId: null }]);
        }
        await expectStates(expected);
      });

      test("says what a relay did to messages, in the order of precedence", async (context) => {
        if (!store.capabilities.relays) return context.skip(NO_RELAY);
        const hand = await startRelay();
        const [waits, gone, retried, dead] = await table.insert([
          { aggregateId: "1" },
          { aggregateId: "2" },
          { aggregateId: "3" },
          { aggregateId: "4" },
        ]);
        const all = await hand.claim();
        await expectStates({ in_flight: [waits, gone, retried, dead] as string[] });
        const outcomes = { [gone as string]: failed(AN_HOUR_MS), [dead as string]: DEAD };
        await hand.table.settle({
          lease: hand.lease,
          entries: all.messages
            .filter(({ id }) => id in outcomes)
            .map((message) => ({ token: all.token, message, outcome: outcomes[message.id] ?? DEAD })),
          endedTokens: [all.token],
          afterDoubt: false,
        });
        await expectStates({
          pending: [waits, retried] as string[],
          failed: [gone as string],
          dead: [dead as string],
        });
      });

      test("counts deaths of the last day, and does not know them where a row dies without a record of ours", async (context) => {
        if (!store.capabilities.relays) return context.skip(NO_RELAY);
        const hand = await startRelay();
        await table.insert([{}]);
        await hand.settle(await hand.claim(), DEAD);
        const byRow = tellsNatively(layout).includes("dead");
        if (byRow) await table.insert([{ state: "dead" }]);
        const { counts, waiting } = await outbox.read.figures();
        expect(counts.dead.value).toBe(byRow ? 2 : 1);
        expect(waiting.deadLast24h).toBe(byRow ? null : 1);
      });

      test("shows messages of one transaction in their order among an aggregate's neighbours", async () => {
        const [createdAt, earlier] = ["2026-03-01T10:00:00.000000Z", "2026-03-01T09:00:00.000000Z"];
        const of = (at: string) => ({ aggregateId: "box-7", createdAt: at });
        const ids = await table.insert([of(earlier), of(createdAt), of(createdAt), of(createdAt), of(createdAt)]);
        const [first = "", ...together] = ids;
        const inOrder = table.mapping.columns.order ? together : together.toSorted();
        for (const id of ids) {
          const neighbours = (await outbox.read.message(id))?.neighbours ?? [];
          expect(neighbours.map((neighbour) => neighbour.id)).toEqual([first, ...inOrder]);
        }
      });

      test("a message that is not there is null, and an id of no message is not found", async () => {
        expect(await outbox.read.message("00000000-0000-4000-8000-000000000000")).toBeNull();
        await expect(outbox.read.message("no id at all!")).rejects.toMatchObject({ code: "not_found" });
        expect(await outbox.read.bytes("00000000-0000-4000-8000-000000000000", { most: 100 })).toBeNull();
        await expect(outbox.read.bytes("no id at all!", { most: 100 })).rejects.toMatchObject({ code: "not_found" });
      });

      test("finds messages by ids of which some are of no message, and the ids that consumers record", async () => {
        const [id = ""] = await table.insert([{}, {}]);
        const found = await outbox.read.find([id, "00000000-0000-4000-8000-000000000000", "12", "no id at all!"]);
        expect(found.map((row) => row.id)).toEqual([id]);
        const eventIds = await outbox.read.eventIds([id, "00000000-0000-4000-8000-000000000000"]);
        expect([...eventIds]).toEqual([[id, (await table.row(id))?.[table.mapping.columns.id.name]]]);
      });

      test("the bytes of a payload are those of the row, cut where asked, with the number of all", async () => {
        const [id = ""] = await table.insert([{ payload: '{"name":"Zoë 😀","id":9007199254740993}' }]);
        const stored = Buffer.from((await table.row(id))?.[table.mapping.columns.payload.name] ?? "");
        const whole = (await outbox.read.bytes(id, { most: 1_000 }))?.payload;
        expect(Buffer.from(whole?.bytes ?? []).toString()).toBe(stored.toString());
        expect(whole).toMatchObject({ totalBytes: stored.length, columnType: expect.any(String) });
        expect(["json", "text"]).toContain(whole?.kind);
        const cut = (await outbox.read.bytes(id, { most: 12 }))?.payload;
        expect(Buffer.from(cut?.bytes ?? []).equals(stored.subarray(0, 12))).toBe(true);
        expect(cut?.totalBytes).toBe(stored.length);
      });

      test("bytes are read only of the part that is asked for, and none of a value that is longer than wanted", async () => {
        const [id = ""] = await table.insert([{ payload: '{"name":"Zoë"}' }]);
        const whole = await outbox.read.bytes(id, { most: 1_000 });
        const totalBytes = whole?.payload?.totalBytes ?? 0;
        expect(totalBytes).toBeGreaterThan(12);
        const only = (most: number) => outbox.read.bytes(id, { part: "payload", most, longer: "length" });
        expect(await only(totalBytes)).toEqual({ payload: whole?.payload, headers: null });
        const long = (await only(totalBytes - 1))?.payload;
        expect(long).toMatchObject({ totalBytes, kind: whole?.payload?.kind });
        expect(long?.bytes.length).toBe(0);
        expect(await outbox.read.bytes(id, { part: "headers", most: 1_000 })).toMatchObject({ payload: null });
      });
    });
  });
}
