import { createRandom } from "./random.ts";

/** What may change how a relay works without changing what it promises. */
export interface RelaySettings {
  batchSize: number;
  concurrency: number;
  /** Events of one http request. */
  httpBatch: number;
  /** Dead messages that stay in a table whose rows cannot be moved; 0 for a table whose rows can. */
  deadBeside: number;
}

/** Decided by the seed, as the schedule is: small and large ones find different faults. */
export function chooseSettings(seed: number): RelaySettings {
  const random = createRandom(seed + 1_000_003);
  return {
    batchSize: random.pick([10, 100, 1000]),
    concurrency: random.pick([4, 16, 64, 256]),
    httpBatch: random.pick([1, 1, 20]),
    deadBeside: random.pick([0, 0, 12_000]),
  };
}
