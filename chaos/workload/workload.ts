import type { EventLog } from "../event-log.ts";
import type { ChaosOptions } from "../options.ts";
import { createRandom } from "../random.ts";
import type { ChaosStore } from "../stores/chaos-store.ts";
import { runWriter, type WriterCounts } from "./writer.ts";

export interface Workload {
  counts: WriterCounts;
  /** Resolves when the last transaction has ended. */
  stop(): Promise<void>;
}

/** Concurrent writers, like several services or threads. */
export function startWorkload(input: { options: ChaosOptions; store: ChaosStore; log: EventLog }): Workload {
  const { options, store, log } = input;
  const counts: WriterCounts = { committed: 0, rolledBack: 0, broken: 0 };
  const stopping = new AbortController();
  const running = Array.from({ length: options.writers }, (_, index) =>
    runWriter(
      {
        store,
        random: createRandom(options.seed * 1000 + index),
        aggregates: options.aggregates,
        messagesPerSecond: options.messagesPerSecond / options.writers,
        counts,
        log,
      },
      stopping.signal,
    ),
  );
  return {
    counts,
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
