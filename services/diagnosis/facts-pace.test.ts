import { describe, expect, test } from "vitest";
import { factsRestMs } from "./facts-pace.ts";

describe("the time between two reads of the facts", () => {
  test("is short while something is wrong, and longer while nothing is", () => {
    expect(factsRestMs({ tookMs: 20, urgent: true })).toBe(1_500);
    expect(factsRestMs({ tookMs: 20, urgent: false })).toBe(4_000);
  });

  test("grows with the cost of a read, up to a quarter of a minute", () => {
    expect(factsRestMs({ tookMs: 400, urgent: false })).toBe(8_000);
    expect(factsRestMs({ tookMs: 30_000, urgent: false })).toBe(15_000);
  });

  test("stays at ten seconds at most while something is wrong: one slow read must not hide the cause", () => {
    expect(factsRestMs({ tookMs: 2_000, urgent: true })).toBe(8_000);
    expect(factsRestMs({ tookMs: 30_000, urgent: true })).toBe(10_000);
  });
});
