import { expect, test } from "vitest";
import { ReadBudget } from "./read-budget.ts";

test("reads are refused once a minute's units are used, and allowed again as units flow in", () => {
  let nowMs = 0;
  const budget = new ReadBudget(600, () => nowMs);
  budget.require("store shop");
  budget.take(610);
  expect(() => budget.require("store shop")).toThrow(/store shop have used up their 600 capacity units.*in 2 s/);
  nowMs = 1_500;
  expect(() => budget.require("store shop")).not.toThrow();
});

test("units that are not used do not pile up beyond one minute's", () => {
  let nowMs = 0;
  const budget = new ReadBudget(60, () => nowMs);
  nowMs = 3_600_000;
  budget.take(61);
  expect(() => budget.require("store shop")).toThrow(/unavailable|used up/);
});

test("a reading is used for as long as its units take to flow in for every reader", () => {
  expect(new ReadBudget(600).restMs(10, 3)).toBe(3_000);
});
