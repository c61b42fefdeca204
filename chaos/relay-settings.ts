import { createRandom } from "./random.ts";
import type { StoreKind } from "./stores/store-kinds.ts";

/** Relay settings that may vary without changing what the relay promises. */
export interface RelaySettings {
  batchSize: number;
  concurrency: number;
  /** Events per http request. */
  httpBatch: number;
  /** Dead messages left in a table whose rows cannot be moved; 0 for a table whose rows can. Postgres only. */
  deadInTable: number;
}

/** Derived from the seed: small and large settings find different faults. */
export function chooseSettings({ seed, store }: { seed: number; store: StoreKind }): RelaySettings {
  const random = createRandom(seed + 1_000_003);
  return {
    batchSize: random.pick([10, 100, 1000]),
    concurrency: random.pick([4, 16, 64, 256]),
    httpBatch: random.pick([1, 1, 20]),
    deadInTable: store === "postgres" ? random.pick([0, 0, 12_000]) : 0,
  };
}
