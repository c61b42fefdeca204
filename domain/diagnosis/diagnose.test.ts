import { expect, test } from "vitest";
import { diagnose } from "./diagnose.ts";
import type { Figures } from "./facts/figures.ts";
import type { LockHolder } from "./facts/sessions.ts";
import type { StoreFacts } from "./facts/store-facts.ts";
import { RULES } from "./rules.ts";
import {
  ASOF,
  ago,
  BREAKER,
  due,
  FACTS,
  HEAD,
  HOLDER,
  judged,
  relays,
  SLOT,
  situation,
  waits,
} from "./situation.fixture.ts";
import { CAUSE_CODES, type CauseCode } from "./words.ts";

test("there is one rule for each code, and a calm outbox has no cause", () => {
  expect(RULES.map(({ rule }) => rule).sort()).toEqual([...CAUSE_CODES].sort());
  expect(judged().verdict).toMatchObject({ word: "delivering", status: "pass", title: "Delivering", cause: null });
});

test("without any fact only the figures are judged", () => {
  const input = { ...situation({ settings: { mode: "observe" } }), facts: {} };
  expect(diagnose(input).causes).toEqual([]);
  expect(diagnose(input).unread).toContain("locked");
});

/** These judge the figures alone, which are always there. */
const OF_FIGURES: readonly CauseCode[] = ["overdue", "dead_letters", "not_known", "unknown_status"];

test("a rule whose facts were not read is not checked", () => {
  const { unread } = diagnose({ ...situation(), facts: {} });
  expect([...unread, ...OF_FIGURES].sort()).toEqual([...CAUSE_CODES].sort());
});

test.each<[CauseCode, keyof StoreFacts]>([
  ["slot_lag", "relays"],
  ["slot_lag", "foreignSlots"],
  ["clock_skew", "clockSkew"],
  ["clock_skew", "relays"],
  ["clock_skew", "consoleClock"],
])("%s is not checked whole without %s, and still says what the rest shows", (rule, fact) => {
  const slot = { slot: "someone", lagBytes: 30e9, walStatus: "extended", active: false, dropStatement: "DROP" };
  const found: StoreFacts = {
    ...FACTS,
    foreignSlots: [slot],
    relays: relays({ clockOffsetMs: 180_000, stream: { ...SLOT, lagBytes: 30e9 } }),
    clockSkew: { messages: 1, capped: false, latestAt: ago(-60) },
    consoleClock: { offsetMs: -180_000 },
  };
  expect(diagnose({ ...situation(), facts: found }).unread).not.toContain(rule);
  const { [fact]: _missing, ...facts } = found;
  const { causes, unread } = diagnose({ ...situation(), facts });
  expect(unread).toContain(rule);
  expect(causes.map((cause) => cause.rule)).toContain(rule);
});

test.each<[CauseCode, Partial<Figures>]>([
  ["dead_letters", { deadKnown: false }],
  ["overdue", { waitingKnown: false }],
  ["overdue", { agesKnown: false, waiting: 3 }],
  ["unknown_status", { unknownKnown: false }],
])("%s is not checked where its figure is not known: %o", (rule, figures) => {
  expect(judged().unread).not.toContain(rule);
  expect(judged({ figures }).unread).toContain(rule);
});

test("that no lock explains a late message is said only if locks could be read", () => {
  const said = (lockHolders: LockHolder[] | undefined) => {
    const input = situation({ figures: waits(9, 70), facts: { waiting: due(9, 70) } });
    return diagnose({ ...input, facts: { ...input.facts, lockHolders } }).causes[0]?.diagnosis;
  };
  expect(said([])).toMatch(/No failed head, lock or outage explains it\.$/);
  expect(said([{ ...HOLDER, rows: null, blockedPids: [] }])).toMatch(
    /whether .*\(pid \d+\) has locked .* could not be read/,
  );
  expect(said(undefined)).toMatch(/locks could not be read, so a lock may explain it/);
});

test("where neither heads nor locks nor the relay's errors are known, nothing is said to be ruled out", () => {
  const refused = { reason: "the disk is full", tried: false, leased: false, everywhere: false };
  const { facts, ...rest } = situation({ figures: waits(2, 100_000), facts: { readOnly: refused, relays: undefined } });
  const known = { ...facts, blocked: undefined, lockHolders: undefined };
  const { causes } = diagnose({ ...rest, facts: known });
  const overdue = causes.find(({ rule }) => rule === "overdue");
  expect(overdue?.diagnosis).toMatch(
    /\. What explains it is not known: the heads of blocked aggregates could not be read/,
  );
});

test("locked rows that could not be counted, and followers that could not, are not taken for none", () => {
  expect(judged({ facts: { lockHolders: [{ ...HOLDER, rows: null }] } })).toMatchObject({
    rules: [],
    unread: ["locked"],
  });
  expect(judged({ facts: { lockHolders: [{ ...HOLDER, rows: 0 }] } })).toMatchObject({ rules: [], unread: [] });
  const head = { ...HEAD, waiting: null };
  const { rules, unread, verdict } = judged({ figures: waits(9, 61, { failed: 1 }), facts: { blocked: [head] } });
  expect({ rules, unread }).toEqual({ rules: ["failing"], unread: ["blocked_aggregate"] });
  expect(verdict.cause).toMatch(/mostly order\.paid \(HTTP 500: no FX rate for XBT\)/);
});

test("a cause without a beginning of its own keeps the one that it was first seen with", () => {
  const input = situation({ facts: { unknownWords: [{ word: "X", messages: 1, capped: false }] } });
  expect(diagnose(input, () => ago(500)).causes[0]?.since).toBe(ago(500));
});

test("nothing begins in the future, whatever clock wrote it", () => {
  const { causes } = judged({ facts: { relays: relays({ breaker: { ...BREAKER, since: ago(-180) } }) } });
  expect(causes[0]?.since).toBe(ASOF);
});

test("counts that a lock hides send nobody to Settings for an index", () => {
  const unread = { waitingKnown: false, unknownBecause: "another session has locked the whole table" };
  const nextOf = (figures: Partial<Figures>) => diagnose(situation({ figures })).causes[0]?.next;
  expect(nextOf({ ...unread, tableLocked: true })?.label).toBe("See who holds the lock");
  expect(nextOf({ waitingKnown: false })?.label).toBe("See what is missing");
});

test("while nobody can read the table, what was read of an aggregate before does not come first", () => {
  const locked = {
    waitingKnown: false,
    tableLocked: true,
    unknownBecause: "another session has locked the whole table",
  };
  const rules = (facts: Partial<StoreFacts>) =>
    judged({ figures: locked, facts: { relays: relays(), blocked: [HEAD], ...facts } }).causes.map(({ rule }) => rule);
  expect(rules({})).toEqual(["not_known", "blocked_aggregate"]);
  const lockHolders = [{ ...HOLDER, rows: 0, wholeTable: true, keepsOutReaders: true }];
  expect(rules({ lockHolders })).toEqual(["locked", "not_known", "blocked_aggregate"]);
});
