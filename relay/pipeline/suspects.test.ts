import { describe, expect, test } from "vitest";
import { Suspects } from "./suspects.ts";

describe("suspects", () => {
  test("three different aggregates without a success convict the sink, and all are acquitted", () => {
    const suspects = new Suspects<number>();
    expect(suspects.add("a", 1)).toBeNull();
    expect(suspects.add("b", 2)).toBeNull();
    expect(suspects.add("a", 3)).toBeNull();
    expect(suspects.add("c", 4)?.map(({ subject }) => subject)).toEqual([1, 2, 3, 4]);
    expect(suspects.add("d", 5)).toBeNull();
  });

  test("a success holds the failures against their messages", () => {
    const suspects = new Suspects<number>();
    suspects.add("a", 1);
    suspects.add("b", 2);
    expect(suspects.success().map(({ subject }) => subject)).toEqual([1, 2]);
    expect(suspects.add("c", 3)).toBeNull();
  });

  test("what was recorded for want of evidence is remembered, and recorded once", () => {
    const suspects = new Suspects<number>();
    suspects.add("a", 1);
    expect(suspects.record()).toHaveLength(1);
    expect(suspects.record()).toHaveLength(0);
    expect(suspects.hasUnrecorded).toBe(false);
    suspects.add("b", 2);
    const convicted = suspects.add("c", 3);
    expect(convicted?.map(({ recorded }) => recorded)).toEqual([true, false, false]);
  });
});
