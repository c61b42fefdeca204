import { expect, test } from "vitest";
import type { Incident } from "../incident.ts";
import { ALL_INCIDENTS } from "./all-incidents.ts";
import { LIKE_ANOTHER } from "./like-another.ts";

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

test("what is left to longer runs is like an incident of every run, which names every rule and stack", () => {
  const every = ALL_INCIDENTS.filter(({ name }) => !LIKE_ANOTHER.has(name));
  const names = ALL_INCIDENTS.map(({ name }) => name);
  for (const [like, other] of LIKE_ANOTHER) {
    expect(names).toContain(like);
    expect(every.map(({ name }) => name)).toContain(other);
  }
  const rulesOf = (incidents: readonly Incident[]) =>
    new Set(incidents.flatMap(({ stages }) => stages.flatMap(({ rule = [] }) => rule)));
  const stacksOf = (incidents: readonly Incident[]) => new Set(incidents.map(({ stack }) => stack));
  expect(rulesOf(every)).toEqual(rulesOf(ALL_INCIDENTS));
  expect(stacksOf(every)).toEqual(stacksOf(ALL_INCIDENTS));
});
