import { describe, expect, test } from "vitest";
import type { OutboxFigures } from "#db/stores/port/outbox-figures.ts";
import type { FailingHead } from "#domain/diagnosis/facts/messages.ts";
import type { LockHolder } from "#domain/diagnosis/facts/sessions.ts";
import type { StoreFacts } from "#domain/diagnosis/facts/store-facts.ts";
import { withoutStale } from "./without-stale.ts";

const STATES = ["pending", "failed", "in_flight", "dead", "archived", "expired", "unknown", "published"] as const;
type Counts = OutboxFigures["counts"];

function figures(values: Partial<Record<keyof Counts, number>>, precision: "exact" | "capped" = "exact") {
  const counts = Object.fromEntries(STATES.map((state) => [state, { value: values[state] ?? 0, precision }]));
  return { counts: counts as unknown as Counts, tableLocked: false, writesAgain: false, newerThanClaims: false };
}

const head = { aggregate: "order/1", waiting: 41, waitingCapped: false } as FailingHead;
const holder = {
  pid: 7,
  wholeTable: false,
  keepsOutReaders: false,
  rows: 42,
  blockedPids: [] as number[],
} as LockHolder;

/** All facts that count messages, read while 42 waited, 42 were dead and 42 had an unknown status. */
const facts = {
  waiting: { due: 42, overdue: 42, overdueAggregates: 1, capped: false, oldestDueAt: "2026-11-23T10:00:00Z" },
  blocked: [head],
  expiredClaims: { claims: 1, messages: 42, capped: false, oldestAt: null, claimedAtKnown: true, owners: [] },
  scheduledFar: { messages: 42, capped: false, latestAt: null },
  waitingByType: [{ eventType: "invoice.rendered", messages: 42 }],
  lockHolders: [holder],
  dead: [{ eventType: "invoice.rendered", messages: 42, lastMinute: 42 }] as StoreFacts["dead"],
  unknownWords: [{ word: "odd", messages: 42, capped: false }],
} satisfies Partial<StoreFacts>;

/** Every number of messages that is left in the facts. */
function counted(left: Partial<StoreFacts>): number[] {
  return [
    left.waiting?.due,
    left.waiting?.overdue,
    left.expiredClaims?.messages,
    left.scheduledFar?.messages,
    ...(left.blocked ?? []).map(({ waiting }) => (waiting === null ? 0 : waiting + 1)),
    ...(left.waitingByType ?? []).map(({ messages }) => messages),
    ...(left.lockHolders ?? []).map(({ rows }) => rows ?? 0),
    ...(left.dead ?? []).flatMap(({ messages, lastMinute }) => [messages, lastMinute]),
    ...(left.unknownWords ?? []).map(({ messages }) => messages),
  ].filter((count) => count !== undefined);
}

describe("facts beside figures that are newer", () => {
  test("none counts a message once nothing waits, is dead or unknown", () => {
    const left = withoutStale(facts, figures({ published: 1000 }));
    expect(counted(left).filter((count) => count > 0)).toEqual([]);
    expect(left).toMatchObject({ blocked: [], waitingByType: [], lockHolders: [], dead: [], unknownWords: [] });
    expect(left.expiredClaims).toBeNull();
  });

  test("none counts more messages than the figures do", () => {
    const left = withoutStale(facts, figures({ pending: 6, failed: 3, in_flight: 1, dead: 10, unknown: 10 }));
    expect(counted(left)).toEqual(Array(10).fill(10));
  });

  test("claims that were read as expired are over once all that waits became due later", () => {
    const left = (newerThanClaims: boolean) => withoutStale(facts, { ...figures({ pending: 1 }), newerThanClaims });
    expect(left(false).expiredClaims).toMatchObject({ messages: 1 });
    expect(left(true).expiredClaims).toBeNull();
    const marked = { ...facts, expiredClaims: { ...facts.expiredClaims, claimedAtKnown: false } };
    expect(withoutStale(marked, { ...figures({ in_flight: 1 }), newerThanClaims: true }).expiredClaims).not.toBeNull();
  });

  test("figures that stopped counting limit nothing", () => {
    expect(withoutStale(facts, figures({ pending: 10 }, "capped"))).toEqual(facts);
  });

  test("a session for which others wait is told although nothing waits to be sent: they may be producers", () => {
    const left = withoutStale({ lockHolders: [{ ...holder, blockedPids: [8] }] }, figures({ published: 1000 }));
    expect(left.lockHolders).toMatchObject([{ rows: 0, blockedPids: [8] }]);
  });

  test("what a lock elsewhere kept from being marked is over once nothing waits", () => {
    const lockHolders = [{ ...holder, blockedPids: [8], elsewhere: "the table stats" }];
    expect(withoutStale({ lockHolders }, figures({ published: 1000 })).lockHolders).toEqual([]);
    expect(withoutStale({ lockHolders }, figures({ pending: 1 })).lockHolders).toHaveLength(1);
  });

  test("the rows of a locked table cannot be counted, and limit nothing", () => {
    expect(counted(withoutStale(facts, { ...figures({}), tableLocked: true }))).toContain(42);
  });

  test("a session that has locked the whole table is told while the table is locked, or may be for writers alone", () => {
    const left = (keepsOutReaders: boolean, tableLocked: boolean) => {
      const lockHolders = [{ ...holder, wholeTable: true, keepsOutReaders }];
      return withoutStale({ lockHolders }, { ...figures({}), tableLocked }).lockHolders?.length;
    };
    expect([left(true, true), left(true, false)]).toEqual([1, 0]);
    expect([left(false, true), left(false, false)]).toEqual([1, 1]);
  });

  test("a lock on the whole table that was read while nothing could be written is over once something was", () => {
    const lockHolders = [{ ...holder, wholeTable: true }];
    const left = (writesAgain: boolean) => withoutStale({ lockHolders }, { ...figures({}), writesAgain }).lockHolders;
    expect(left(false)).toHaveLength(1);
    expect(left(true)).toEqual([]);
  });
});
