import { expect, test } from "vitest";
import { FailureOdds } from "./failure-odds.ts";

/** Odds after so many messages, of which every `n`th fails. */
function after(messages: number, n: number): FailureOdds {
  const odds = new FailureOdds();
  for (let count = 1; count <= messages; count += 1) {
    if (count % n === 0) odds.failed();
    else odds.worked();
  }
  odds.worked();
  return odds;
}

test("three failures in a row are enough where hardly any message fails", () => {
  expect(new FailureOdds().needed).toBe(3);
  expect(after(1000, 100).needed).toBe(3);
});

test("the more messages fail on their own, the more failures in a row it takes", () => {
  expect(after(1000, 10).needed).toBe(6);
  expect(after(1000, 5).needed).toBe(8);
  expect(after(1000, 2).needed).toBe(17);
});

test("where others got through after all, no number is enough at first, and it takes many for the next few hundred", () => {
  const odds = new FailureOdds();
  odds.doubt();
  expect(odds.needed).toBe(Number.POSITIVE_INFINITY);
  for (let count = 0; count < 50; count += 1) odds.worked();
  expect(odds.needed).toBeGreaterThan(10);
});

test("no number is enough where nearly all fail, and a few hundred successes later three are enough again", () => {
  const odds = new FailureOdds();
  for (let count = 0; count < 5000; count += 1) odds.failed();
  odds.worked();
  expect(odds.needed).toBe(Number.POSITIVE_INFINITY);
  for (let count = 0; count < 600; count += 1) odds.worked();
  expect(odds.needed).toBe(3);
});
