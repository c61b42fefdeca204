import { expect, test } from "vitest";
import type { GatheredFacts } from "#db/stores/port/outbox-watch.ts";
import { keepAll, keepUnread } from "./keep-unread.ts";

const HEADS: GatheredFacts["facts"] = { blocked: [], waitingByType: [] };
const ERROR = new Error("canceling statement due to statement timeout");

function read(facts: GatheredFacts["facts"], ...missing: (keyof GatheredFacts["facts"])[]): GatheredFacts {
  return { facts, unread: missing.map((fact) => ({ fact, error: ERROR })), tookMs: 7 };
}

test("a fact that could not be read again keeps its value, and is not called unread", () => {
  const first = keepUnread(read(HEADS), null, 1_000);
  const { gathered } = keepUnread(read({ waitingByType: [] }, "blocked"), first, 4_000);
  expect(gathered).toEqual({ facts: HEADS, unread: [], tookMs: 7 });
});

test("a fact is unknown 12 s after it was read, however often it was kept since", () => {
  let facts = keepUnread(read(HEADS), null, 0);
  for (const atMs of [4_000, 8_000, 12_000]) facts = keepUnread(read({ waitingByType: [] }, "blocked"), facts, atMs);
  expect(facts.gathered.facts).toHaveProperty("blocked");
  const { gathered } = keepUnread(read({ waitingByType: [] }, "blocked"), facts, 12_001);
  expect(gathered).toEqual(read({ waitingByType: [] }, "blocked"));
});

test("a fact that no reading has had stays unread", () => {
  const first = keepUnread(read({}, "blocked"), null, 0);
  expect(keepUnread(read({}, "blocked"), first, 1_000).gathered).toEqual(read({}, "blocked"));
});

test("a fact that the store no longer gives is not kept", () => {
  const first = keepUnread(read(HEADS), null, 0);
  expect(keepUnread(read({ waitingByType: [] }), first, 1_000).gathered.facts).toEqual({ waitingByType: [] });
});

test("a reading that failed as a whole keeps all facts for 12 s, and says why they are unread after that", () => {
  const first = keepUnread(read(HEADS), null, 0);
  const kept = keepAll(first, ERROR, 12_000);
  expect(kept.gathered).toEqual({ facts: HEADS, unread: [], tookMs: 7 });
  const { facts, unread } = keepAll(kept, ERROR, 12_001).gathered;
  expect([facts, unread.map(({ fact }) => fact).sort()]).toEqual([{}, ["blocked", "waitingByType"]]);
});
