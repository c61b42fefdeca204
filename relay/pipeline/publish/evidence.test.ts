import { expect, test } from "vitest";
import { Evidence } from "./evidence.ts";

test("evidence is awaited for three seconds after the last success, and asked for again after a second without an answer", () => {
  const evidence = new Evidence();
  expect([evidence.isMissing(0), evidence.isAwaited(0, 0)]).toEqual([true, false]);
  evidence.begin(500);
  evidence.found("1");
  expect([evidence.isMissing(1500), evidence.isMissing(1501)]).toEqual([false, true]);
  expect([evidence.isAwaited(0, 2999), evidence.isAwaited(0, 3000)]).toEqual([true, false]);
});

test("it is no longer awaited once it failed, once a message got through, and where there is none", () => {
  const evidence = new Evidence();
  evidence.begin(0);
  evidence.found("1");
  evidence.failed("2");
  expect([evidence.isMissing(1), evidence.isAwaited(0, 1)]).toEqual([false, true]);
  evidence.failed("1");
  expect([evidence.isMissing(1), evidence.isAwaited(0, 1)]).toEqual([true, false]);
  evidence.begin(2);
  evidence.worked();
  expect(evidence.isAwaited(0, 3)).toBe(false);
  evidence.begin(4);
  expect(evidence.isAwaited(0, 5)).toBe(true);
  evidence.found(null);
  expect([evidence.isMissing(6), evidence.isAwaited(0, 6)]).toEqual([true, false]);
});
