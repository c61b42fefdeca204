import { expect, test } from "vitest";
import { TimeBudget } from "./time-budget.ts";

const never = new Promise<never>(() => undefined);

test("what hangs is given up when the time is up, however often it is waited for", async () => {
  const budget = new TimeBudget(50);
  expect(await budget.waitFor(never)).toBeNull();
  expect(await budget.waitFor(Promise.resolve("in time"))).toBe("in time");
  expect(budget.leftMs).toBeLessThanOrEqual(400);
  await expect(budget.waitFor(Promise.reject(new Error("refused")))).rejects.toThrow("refused");
});
