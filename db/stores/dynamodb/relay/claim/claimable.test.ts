import { expect, test } from "vitest";
import { ReadBudget } from "../../connection/read-budget.ts";
import type { RelayContext } from "../relay-context.ts";
import { paced } from "./claimable.ts";

/** A context of which a paced read uses the budget alone. */
function contextWith(budget: ReadBudget): RelayContext {
  return { room: { link: { budget } } } as RelayContext;
}

test("reads that bring nothing use up the budget, and reads that bring messages do not", async () => {
  const budget = new ReadBudget(100, () => 0);
  const read = (brings: boolean) =>
    paced(
      contextWith(budget),
      () => brings,
      async (spent) => spent(40),
    );
  await read(true);
  await read(true);
  await read(true);
  expect(budget.state().used).toBe(0);
  await read(false);
  await read(false);
  expect(budget.state().used).toBe(80);
  expect(budget.waitMs()).toBe(0);
  await read(false);
  // 21 units are missing, of 100 in a minute.
  expect(budget.waitMs()).toBe(12_600);
});
