import { expect, test } from "vitest";
import type { DeadGroup } from "#domain/diagnosis/facts/messages.ts";
import { MOST_DEAD_TEXTS, mergeDeadGroups } from "./merge-dead-groups.ts";

const group = (over: Partial<DeadGroup> = {}): DeadGroup => ({
  eventType: "order.paid",
  code: null,
  error: "unknown SKU 7",
  fingerprint: null,
  messages: 1,
  capped: false,
  firstAt: null,
  lastAt: null,
  oldestSeconds: null,
  lastMinute: 0,
  ...over,
});

test("texts that differ in a number are one cause, with their sum and the first of them", () => {
  const at = (hour: number) => `2026-11-28T0${hour}:00:00Z`;
  const texts = [
    group({ error: "unknown SKU 9", messages: 5, firstAt: at(3), lastAt: at(4), oldestSeconds: 9, lastMinute: 1 }),
    group({ error: "no price", messages: 4 }),
    group({ error: "unknown SKU 12", messages: 2, firstAt: at(2), lastAt: at(3), oldestSeconds: 4, lastMinute: 2 }),
  ];
  expect(mergeDeadGroups(texts)).toEqual([
    group({ error: "unknown SKU 12", messages: 7, firstAt: at(2), lastAt: at(4), oldestSeconds: 9, lastMinute: 3 }),
    group({ error: "no price", messages: 4 }),
  ]);
});

test("types, codes and fingerprints stay apart, and messages without an error", () => {
  const texts = [
    group(),
    group({ eventType: null }),
    group({ code: "rejected" }),
    group({ fingerprint: "f" }),
    group({ error: null }),
  ];
  expect(mergeDeadGroups(texts)).toHaveLength(5);
  const many = Array.from({ length: 30 }, (_, index) => group({ fingerprint: `f${index}` }));
  expect(mergeDeadGroups(many)).toHaveLength(20);
});

test("if not all texts were read, a sum is a lower bound", () => {
  const texts = Array.from({ length: MOST_DEAD_TEXTS }, (_, index) => group({ error: `unknown SKU ${index}` }));
  expect(mergeDeadGroups(texts)).toEqual([group({ error: "unknown SKU 0", messages: MOST_DEAD_TEXTS, capped: true })]);
});
