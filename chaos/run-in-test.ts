import { expect } from "vitest";
import { type ChaosOptions, DEFAULTS, DEFAULTS_OVER } from "./options.ts";
import { chooseSettings } from "./relay-settings.ts";
import { report } from "./report.ts";
import { type ChaosResult, runChaos } from "./run-chaos.ts";
import { generateSchedule, type Step } from "./schedule.ts";

/** CHAOS_SEED selects another schedule than the default. */
const SEED = Number(process.env.CHAOS_SEED ?? 7);

/** Short enough for the whole test suite: about 10 s of faults. */
const SMALL: Partial<ChaosOptions> = {
  relays: 2,
  chaosMs: 10_000,
  aggregates: 500,
  writers: 4,
  messagesPerSecond: 150,
};

/** Runs it, and fails with the whole report when a rule was broken. */
export async function runSmall(options: Partial<ChaosOptions>, schedule?: Step[]): Promise<ChaosResult> {
  const { store = DEFAULTS.store, seed = SEED } = options;
  const all: ChaosOptions = {
    ...DEFAULTS,
    ...SMALL,
    ...DEFAULTS_OVER[store],
    seed,
    settings: chooseSettings({ seed, store }),
    say: () => undefined,
    ...options,
  };
  const result = await runChaos(all, schedule ?? generateSchedule(all));
  const text = report(result);
  console.log(`\nchaos over ${all.store} and ${all.sink}, ${text}`);
  expect(result.violations, text).toEqual([]);
  return result;
}
