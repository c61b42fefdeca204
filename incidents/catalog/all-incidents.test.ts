import { expect, test } from "vitest";
import { ALL_INCIDENTS } from "./all-incidents.ts";

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
