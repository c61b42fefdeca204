import type { Runtime } from "../runtime.ts";
import { TimeBudget } from "../time-budget.ts";

/** Budget for catalogs and pings together, ms: probes are frequent and must never hang. */
const BUDGET_MS = 2_000;

/**
 * Pings every store once, within the budget. Null if the console can serve pages, otherwise the reason, without
 * addresses.
 */
export async function checkReady(input: { runtime: Runtime }): Promise<string | null> {
  const budget = new TimeBudget(BUDGET_MS);
  const tables = await budget.waitFor(input.runtime.tables());
  if (!tables) return "The databases take too long to answer.";
  const { outboxes, problems } = tables;
  if (outboxes.length === 0 && problems.length > 0) return "No database answers.";
  const stores = [...new Set(outboxes.map((outbox) => outbox.store))];
  const pings = await Promise.all(
    stores.map((store) => budget.waitFor(store.ping().then(() => true)).catch(() => null)),
  );
  return stores.length === 0 || pings.some((ping) => ping !== null) ? null : "No database answers.";
}
