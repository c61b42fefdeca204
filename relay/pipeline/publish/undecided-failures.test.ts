import { describe, expect, test } from "vitest";
import { UndecidedFailures } from "./undecided-failures.ts";

describe("suspects", () => {
  test("three different aggregates without a success convict the sink, and all are acquitted", () => {
    const suspects = new UndecidedFailures<number>();
    for (const [key, subject] of [
      ["a", 1],
      ["b", 2],
      ["a", 3],
    ] as const) {
      suspects.add(key, subject);
      expect(suspects.showSinkAtFault()).toBe(false);
    }
    suspects.add("c", 4);
    expect(suspects.showSinkAtFault()).toBe(true);
    expect(suspects.clear().map(({ subject }) => subject)).toEqual([1, 2, 3, 4]);
    suspects.add("d", 5);
    expect(suspects.showSinkAtFault()).toBe(false);
  });

  test("what a success explains is taken out, and the rest stays", () => {
    const suspects = new UndecidedFailures<number>();
    suspects.add("a", 1);
    suspects.add("b", 2);
    expect(suspects.take((subject) => subject < 2).map(({ subject }) => subject)).toEqual([1]);
    expect(suspects.size).toBe(1);
    suspects.add("c", 3);
    expect(suspects.showSinkAtFault()).toBe(false);
  });

  test("what was recorded for want of evidence is remembered, and recorded once", () => {
    const suspects = new UndecidedFailures<number>();
    suspects.add("a", 1);
    expect(suspects.record()).toHaveLength(1);
    expect(suspects.record()).toHaveLength(0);
    expect(suspects.hasUnrecorded).toBe(false);
    expect(suspects.find(() => true)).toBeUndefined();
    suspects.add("b", 2);
    suspects.add("c", 3);
    expect(suspects.showSinkAtFault()).toBe(true);
    expect(suspects.clear().map(({ recorded }) => recorded)).toEqual([true, false, false]);
  });

  test("messages that had failed before convict the sink only together with the time without a success", () => {
    const suspects = new UndecidedFailures<number>();
    for (const [index, key] of ["a", "b", "c"].entries()) suspects.add(key, index, false);
    expect([suspects.showSinkAtFault(), suspects.areSeveral]).toEqual([false, true]);
    for (const [index, key] of ["d", "e", "f"].entries()) suspects.add(key, index);
    expect([suspects.showSinkAtFault(), suspects.showSinkAtFault(4)]).toEqual([true, false]);
  });
});
