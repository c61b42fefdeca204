import { expect } from "vitest";
import { type ChaosOptions, DEFAULTS } from "./options.ts";
import { chooseSettings } from "./relay-settings.ts";
import { report } from "./report.ts";
import { type ChaosResult, runChaos } from "./run-chaos.ts";
import { generateSchedule, type Step } from "./schedule.ts";

/** CHAOS_SEED looks at another schedule than that which everyone's runs share. */
export const SEED = Number(process.env.CHAOS_SEED ?? 7);

/** What fits into a run of all tests: some ten seconds of faults. */
const SMALL: Partial<ChaosOptions> = {
  relays: 2,
  chaosMs: 10_000,
  aggregates: 500,
  writers: 4,
  messagesPerSecond: 150,
};

/** Runs it and fails with the whole table when a rule was broken. */
export async function runSmall(options: Partial<ChaosOptions>, schedule?: Step[]): Promise<ChaosResult> {
  const all: ChaosOptions = {
    ...DEFAULTS,
    ...SMALL,
    seed: SEED,
    settings: chooseSettings(SEED),
    say: () => undefined,
    ...options,
  };
  const result = await runChaos(all, schedule ?? generateSchedule(all));
  const text = report(result);
  console.log(`\nchaos over ${all.sink}, ${text}`);
  expect(result.violations, text).toEqual([]);
  return result;
}
