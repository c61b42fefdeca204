import { expect, test } from "vitest";
import { turnMs } from "./retention-runner.ts";

test("turns share a minute, each with a few seconds at least and 40 at most", () => {
  expect(turnMs({ leftMs: 50_000, turns: 1 })).toBe(40_000);
  expect(turnMs({ leftMs: 50_000, turns: 5 })).toBe(10_000);
  expect(turnMs({ leftMs: 50_000, turns: 100 })).toBe(5_000);
  expect(turnMs({ leftMs: -1_000, turns: 3 })).toBe(5_000);
});
