import { describe, expect, test } from "vitest";
import { BrokerUnavailable } from "#tests/brokers/broker.ts";
import { BROKER_START_TIMEOUT_MS } from "#tests/brokers/test-broker.ts";
import { FAULT_KINDS, RESTARTS } from "./fault-kinds.ts";
import { SOAK_DEFAULTS, SOAK_SINKS, type SoakOptions } from "./options.ts";
import { runSoak } from "./run-soak.ts";
import { soakTable } from "./soak-table.ts";

/** CHAOS_SEED selects another schedule than the default. */
const SEED = Number(process.env.CHAOS_SEED ?? 7);

/** Faults outlast the sink's time limit here too, but both are shorter. */
const SMALL: Omit<SoakOptions, "sink" | "kinds"> = {
  ...SOAK_DEFAULTS,
  seed: SEED,
  chaosMs: 12_000,
  lanes: 20,
  rate: 300,
  run: 4,
  longestMs: 2000,
  calmMs: [500, 1000],
  timeoutMs: 1000,
  connectTimeoutMs: 500,
  harnessMs: 500,
  say: () => undefined,
};

/** A restart of Kafka takes longer than all other faults together. */
const KINDS = { kafka: FAULT_KINDS.kafka.filter((kind) => !RESTARTS.has(kind)), redis: FAULT_KINDS.redis };

describe("a soak", { timeout: BROKER_START_TIMEOUT_MS + 120_000 }, () => {
  test.for(SOAK_SINKS)("%s: our sink loses, inverts and hangs nothing", async (sink, { skip }) => {
    try {
      const result = await runSoak({ ...SMALL, sink, kinds: KINDS[sink] });
      const table = soakTable({ sink }, result);
      console.log(`\nsoak, seed ${SEED}: ${table}`);
      expect(result.violations, table).toEqual([]);
      expect(result.candidates.ours.verdict?.published).toBeGreaterThan(1000);
    } catch (error) {
      if (!(error instanceof BrokerUnavailable)) throw error;
      skip(`no ${sink}: ${error.message}`);
    }
  });
});
