import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import type { FactLimits, WatchedFacts } from "../port/outbox-watch.ts";
import { isUnreachable } from "../port/store-error.ts";
import { onceAgain } from "./cut-each.fixture.ts";
import { DEAD, failed } from "./open-outbox.fixture.ts";
import { AN_HOUR_MS, type OperatorDesk, openDesk } from "./operator-desk.fixture.ts";
import {
  BY_CAPABILITY,
  byName,
  CUT_SIDES,
  contrastsOf,
  NO_RELAY,
  PLAIN,
  type StoreUnderTest,
} from "./store-under-test.fixture.ts";

const LIMITS: FactLimits = {
  overdueSeconds: 60,
  claimGraceSeconds: 0,
  lockHeldSeconds: 0,
  oldTransactionSeconds: 0,
  scheduledFarSeconds: 86_400,
  clockSkewSeconds: 60,
  relay: { lanes: true },
};
const FACTS: (keyof WatchedFacts)[] = [
  "waiting",
  "blocked",
  "expiredClaims",
  "lockHolders",
  "oldTransactions",
  "orderless",
  "leftBehind",
  "scheduledFar",
  "clockSkew",
  "unknownWords",
  "relayScans",
  "partitions",
  "numberedColumns",
  "dead",
  "foreignSlots",
  "connectorSlot",
  "logReaders",
  "freshMarks",
  "hidingSettings",
  "waitingByType",
];

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

/** Requirements of every engine for the facts that explain why messages do not move. */
export function describeOutboxWatch(engine: StoreUnderTest): void {
  const contrasts = contrastsOf(engine, "status");
  describe.each([...contrasts, ...(engine.sparing ? [] : [byName("timestamp and attempts")])])(
    `${engine.kind} as an outbox to watch, with $name`,
    (layout) => {
      let desk: OperatorDesk;
      beforeEach(async () => {
        desk = await openDesk(engine, layout);
      });
      afterEach(() => desk.close());

      /** Every fact; fails when one is unread. */
      const watch = async (limits: Partial<FactLimits> = {}) => {
        // An engine that other readers keep from a fresh answer reports the fact as unread, and answers later.
        const readAll = async () => {
          const read = await desk.outbox.watch.facts({ ...LIMITS, ...limits });
          expect(read.unread).toEqual([]);
          return read;
        };
        const { facts, tookMs } = await waitFor(readAll, { intervalMs: 300, message: "every fact is read" });
        expect(Object.keys(facts).sort()).toEqual([...FACTS].sort());
        expect(tookMs).toBeGreaterThan(0);
        return facts as WatchedFacts;
      };

      test("says of an outbox in which nothing is wrong that there is nothing, fact by fact", async () => {
        await desk.table.insert([{ state: layout.lifecycle === "delete" ? "pending" : "published" }]);
        const facts = await watch();
        const waiting = layout.lifecycle === "delete" ? 1 : 0;
        expect(facts).toMatchObject({
          waiting: { due: waiting, overdue: 0, overdueAggregates: 0, capped: false },
          blocked: [],
          expiredClaims: { claims: 0, messages: 0, owners: [] },
          lockHolders: [],
          oldTransactions: [],
          scheduledFar: { messages: 0, capped: false, latestAt: null },
          clockSkew: { messages: 0, capped: false, latestAt: null },
          relayScans: null,
          partitions: null,
          dead: [],
          foreignSlots: [],
          connectorSlot: null,
          freshMarks: null,
          hidingSettings: [],
        });
        expect(facts.unknownWords ?? []).toEqual([]);
        expect(facts.waitingByType).toHaveLength(waiting);
      });

      test("counts the messages that were marked within the last minute, where only a connector publishes", async () => {
        const states = layout.lifecycle === "delete" ? (["pending"] as const) : (["published", "pending"] as const);
        await desk.table.insert(states.map((state) => ({ state })));
        if (layout.lifecycle !== "delete") await desk.table.insert([{ state: "published", publishedAt: ago(120_000) }]);
        const { freshMarks } = await watch({ connector: true });
        const isKept = desk.table.mapping.columns.publishedAt !== undefined && engine.kind !== "dynamodb";
        expect(freshMarks).toEqual(isKept ? expect.objectContaining({ messages: 1, capped: false }) : null);
      });

      test("counts what is due and overdue, without what is scheduled or blocked behind a failed head", async (context) => {
        if (!desk.store.capabilities.relays) return context.skip(NO_RELAY);
        const late = ago(600_000);
        const [head = ""] = await desk.table.insert([
          { aggregateId: "blocked", createdAt: late },
          { aggregateId: "blocked", createdAt: late },
          { aggregateId: "late", createdAt: late },
          { aggregateId: "late", createdAt: ago(500_000) },
          { aggregateId: "fresh" },
          { aggregateId: "scheduled", createdAt: late, availableAt: ago(-AN_HOUR_MS) },
        ]);
        await desk.publishAlone(head, failed(AN_HOUR_MS));
        const { waiting } = await watch();
        expect(waiting).toMatchObject({ due: 3, overdue: 2, overdueAggregates: 1, capped: false });
        expect(Date.parse(waiting.oldestDueAt ?? "")).toBe(Date.parse(late));
      });

      test("a message scheduled for later is not overdue; one that waits for another attempt is as old as it is", async () => {
        const late = ago(600_000);
        const counts = layout.attempts;
        await desk.table.insert([
          { createdAt: late, availableAt: ago(-AN_HOUR_MS) },
          { createdAt: late, availableAt: ago(1_000) },
          ...(counts ? [{ state: "failed" as const, createdAt: ago(700_000), availableAt: ago(-AN_HOUR_MS) }] : []),
        ]);
        const { waiting } = await watch();
        expect(waiting).toMatchObject({ due: 1, overdue: 0 });
        const { oldest, scheduled } = (await desk.outbox.read.figures()).waiting;
        if (counts) expect(scheduled.value).toBe(1);
        if (counts) expect(oldest?.ageSeconds).toBeGreaterThan(650);
        else expect(oldest?.ageSeconds).toBeLessThan(300);
      });

      test("counts who waits behind each failed head, the most first", async (context) => {
        if (!desk.store.capabilities.relays) return context.skip(NO_RELAY);
        const [a = "", , b = ""] = await desk.table.insert([
          { aggregateId: "a" },
          { aggregateId: "a" },
          { aggregateId: "b" },
          { aggregateId: "b" },
          { aggregateId: "b" },
          { aggregateId: "c" },
        ]);
        await desk.publishAlone(a, failed(AN_HOUR_MS));
        await desk.publishAlone(b, failed(AN_HOUR_MS));
        const common = { eventType: "order.placed", attempts: 1, errorCode: "server_error", waitingCapped: false };
        const { blocked } = await watch();
        expect(blocked).toMatchObject([
          { ...common, aggregate: "order/b", aggregateId: "b", headId: b, waiting: 2 },
          { ...common, aggregate: "order/a", aggregateId: "a", headId: a, waiting: 1 },
        ]);
        expect(blocked?.[0]).toMatchObject({ error: "HTTP 500 from the gateway", nextAttemptAt: expect.any(String) });
      });

      test("a claim is expired once its relay's lease is over, and names its owner", async (context) => {
        if (!desk.store.capabilities.relays) return context.skip(NO_RELAY);
        await desk.table.insert([{}, {}]);
        const hand = await desk.relay();
        await hand.claim();
        expect((await watch()).expiredClaims).toMatchObject({ claims: 0, messages: 0 });
        await hand.table.releaseLease(hand.lease);
        const expired = { claims: 1, messages: 2, capped: false, claimedAtKnown: true, owners: ["relay-1"] };
        expect((await watch()).expiredClaims).toMatchObject({ ...expired, oldestAt: expect.any(String) });
        expect((await watch({ claimGraceSeconds: 3600 })).expiredClaims).toMatchObject({ claims: 0 });
      });

      test("groups dead messages by type and error, the most first", async (context) => {
        if (!desk.store.capabilities.relays) return context.skip(NO_RELAY);
        for (const eventType of ["order.paid", "order.paid", "order.refunded"]) {
          const [id = ""] = await desk.table.insert([{ eventType, createdAt: ago(AN_HOUR_MS) }]);
          await desk.publishAlone(id, DEAD);
        }
        const { dead } = await watch();
        // Since their creation, not since their death.
        for (const { oldestSeconds } of dead ?? []) expect(oldestSeconds).toBeGreaterThan(3590);
        const told = dead?.map(({ eventType, error, messages, capped }) => ({ eventType, error, messages, capped }));
        const error = "HTTP 500 from the gateway";
        expect(told).toEqual([
          { eventType: "order.paid", error, messages: 2, capped: false },
          { eventType: "order.refunded", error, messages: 1, capped: false },
        ]);
      });

      test("counts statuses that nobody named, by word; a table without words has none to name", async () => {
        const worded = layout.lifecycle === "status";
        await desk.table.insert([...(worded ? ([{ state: "unknown" }, { state: "unknown" }] as const) : []), {}]);
        const { unknownWords } = await watch();
        expect(unknownWords ?? []).toEqual(worded ? [{ word: expect.any(String), messages: 2, capped: false }] : []);
      });

      test("counts what is scheduled far ahead, and what was created in the future", async () => {
        const [far, near] = [ago(-40 * 86_400_000), ago(-AN_HOUR_MS)];
        await desk.table.insert([{ availableAt: far }, { availableAt: near }, { createdAt: near }, {}]);
        const { scheduledFar, clockSkew } = await watch();
        expect(scheduledFar).toMatchObject({ messages: 1, capped: false });
        expect(Date.parse(scheduledFar?.latestAt ?? "")).toBe(Date.parse(far));
        expect(clockSkew).toMatchObject({ messages: 1, capped: false });
        expect(Date.parse(clockSkew?.latestAt ?? "")).toBe(Date.parse(near));
      });

      test("counts what waits by event type, the most first", async () => {
        const [paid, placed] = [{ eventType: "order.paid" }, { eventType: "order.placed" }];
        const ids = await desk.table.insert([paid, placed, placed, { eventType: null }, paid, paid]);
        await desk.table.publishByOther(ids[5] ?? "");
        const { waitingByType } = await watch();
        expect(waitingByType?.toSorted((one, other) => (one.eventType < other.eventType ? -1 : 1))).toEqual([
          { eventType: "order.paid", messages: 2 },
          { eventType: "order.placed", messages: 2 },
        ]);
      });
    },
  );

  describe(`${engine.kind} as an outbox to watch, whatever its layout`, () => {
    let desk: OperatorDesk;
    beforeEach(async () => {
      desk = await openDesk(engine, PLAIN, { cuttable: !engine.sparing });
      await desk.table.insert([{}, {}]);
    });
    afterEach(() => desk.close());

    const facts = () => desk.outbox.watch.facts(LIMITS);

    test("names the session that has locked a row, and how it is ended", async (context) => {
      if (!desk.store.capabilities.namesLockHolders || !desk.table.lockRow)
        return context.skip(`${BY_CAPABILITY} the engine names no sessions`);
      const [id = ""] = await desk.table.insert([{}]);
      const lock = await desk.table.lockRow(id);
      const { lockHolders } = (await facts()).facts;
      expect(lockHolders).toMatchObject([{ rows: 1, wholeTable: false, blockedPids: [] }]);
      expect(lockHolders?.[0]?.endStatement).toContain(String(lockHolders?.[0]?.pid));
      expect((await desk.outbox.watch.facts({ ...LIMITS, lockHeldSeconds: 3600 })).facts.lockHolders).toEqual([]);
      await lock.release();
      expect((await facts()).facts.lockHolders).toEqual([]);
    });

    test("names the session that has locked the whole table, and says what it could not read meanwhile", async (context) => {
      if (!desk.table.lockTable) return context.skip(`${BY_CAPABILITY} no session can lock a table of this engine`);
      const lock = await desk.table.lockTable();
      const locked = await facts();
      expect(locked.facts.lockHolders).toMatchObject([{ wholeTable: true }]);
      const unread = locked.unread.map(({ fact }) => fact);
      expect(unread).toContain("waiting");
      expect([...unread, ...Object.keys(locked.facts)].sort()).toEqual([...FACTS].sort());
      expect(locked.unread[0]?.error).toMatchObject({ trouble: "locked" });
      await lock.release();
      expect(await facts()).toMatchObject({ unread: [], facts: { waiting: { due: 2 }, lockHolders: [] } });
    });

    test("names a transaction that is open for long and has written, where the engine can tell", async (context) => {
      if (!desk.store.capabilities.namesLockHolders)
        return context.skip(`${BY_CAPABILITY} the engine names no sessions`);
      const open = await desk.table.beginInsert([{}]);
      const { oldTransactions } = (await facts()).facts;
      expect(oldTransactions).toMatchObject([{ holdsBackNewRows: true, endStatement: expect.stringMatching(/\S/) }]);
      const patient = { ...LIMITS, oldTransactionSeconds: 3600 };
      expect((await desk.outbox.watch.facts(patient)).facts.oldTransactions).toEqual([]);
      await open.rollback();
      expect((await facts()).facts.oldTransactions).toEqual([]);
    });

    test("a fact that cannot be read is told with its reason, and takes no other with it", async (context) => {
      if (!desk.table.withholdFact) return context.skip(`${BY_CAPABILITY} all facts are read at once`);
      const { fact, release } = await desk.table.withholdFact();
      const { facts: read, unread } = await facts();
      expect(unread).toEqual([{ fact, error: expect.objectContaining({ code: expect.any(String) }) }]);
      expect([...Object.keys(read), fact].sort()).toEqual([...FACTS].sort());
      expect(read.waiting).toMatchObject({ due: 2 });
      await release();
      // An engine that other readers keep from a fresh answer reports the fact as unread, and answers later.
      await waitFor(async () => (await facts()).unread.length === 0, {
        intervalMs: 300,
        message: "every fact is read",
      });
    });

    test.each(engine.sparing ? [] : CUT_SIDES)(
      "a store that goes away %s any of its answers is unreachable, and no fact is told",
      async (when) => {
        for (let nth = 1, ranThrough = false; !ranThrough; nth += 1) {
          const fault = desk.database.cutAt(nth, when);
          const answer = await facts().catch((error: unknown) => error);
          ranThrough = !fault.struck();
          fault.clear();
          const fewest = engine.factsTogether ? 2 : FACTS.length;
          if (ranThrough) expect([nth > fewest, answer]).toMatchObject([true, { unread: [] }]);
          else expect(isUnreachable(answer), `${when} ${nth}: ${answer}`).toBe(true);
          await onceAgain(() => desk.store.ping());
        }
      },
    );
  });
}
