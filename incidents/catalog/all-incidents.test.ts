import { expect, test } from "vitest";
import type { Incident } from "../incident.ts";
import { ALL_INCIDENTS } from "./all-incidents.ts";
import { isInDepth, LIKE_ANOTHER, TESTED_BELOW } from "./in-depth.ts";

test("every incident has a unique name and at least one stage", () => {
  const names = ALL_INCIDENTS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, stages, outboxes } of ALL_INCIDENTS) {
    expect(stages.length, name).toBeGreaterThan(0);
    expect(outboxes.length, name).toBeGreaterThan(0);
  }
});

test("an outbox belongs to one stack", () => {
  const stackOf = new Map<string, string>();
  for (const { stack, outboxes } of ALL_INCIDENTS) {
    for (const { name } of outboxes) {
      expect(stackOf.get(name) ?? stack, name).toBe(stack);
      stackOf.set(name, stack);
    }
  }
});

test("what is left to longer runs is like an incident that is not, or its rule has tests of its own", () => {
  const names = ALL_INCIDENTS.map(({ name }) => name);
  for (const name of TESTED_BELOW) expect(names).toContain(name);
  for (const [like, other] of LIKE_ANOTHER) {
    expect(names).toContain(like);
    expect(names).toContain(other);
    expect(LIKE_ANOTHER.has(other), `${other}, which ${like} is like, is like another itself`).toBe(false);
  }
  const rulesOf = (incidents: readonly Incident[]) =>
    new Set(incidents.flatMap(({ stages }) => stages.flatMap(({ rule = [] }) => rule)));
  const below = ALL_INCIDENTS.filter(({ name }) => TESTED_BELOW.has(name));
  const every = ALL_INCIDENTS.filter(({ name }) => !isInDepth(name));
  expect(new Set([...rulesOf(every), ...rulesOf(below)])).toEqual(rulesOf(ALL_INCIDENTS));
});
