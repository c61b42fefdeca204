import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { ABORTED, PUBLISHED, type PublishOutcome, type Sink } from "../sink.ts";

export interface MemorySinkOptions {
  maxBatch?: number;
  keepsOrderInBatch?: boolean;
  /** Outcome for a message; published at once when absent. */
  answer?: (message: OutgoingMessage) => PublishOutcome | Promise<PublishOutcome>;
}

export interface MemorySink extends Sink {
  /** Confirmed messages in the order of their confirmation. */
  readonly received: OutgoingMessage[];
}

/** A sink without I/O, for tests and as the benchmark's no-op. */
export function createMemorySink(options: MemorySinkOptions = {}): MemorySink {
  const received: OutgoingMessage[] = [];
  const { answer } = options;
  const one = async (message: OutgoingMessage, signal: AbortSignal): Promise<PublishOutcome> => {
    if (signal.aborted) return ABORTED;
    const outcome = answer ? await answer(message) : PUBLISHED;
    if (signal.aborted && outcome.kind !== "published") return ABORTED;
    if (outcome.kind === "published") received.push(message);
    return outcome;
  };
  return {
    kind: "memory",
    maxBatch: options.maxBatch ?? 1,
    keepsOrderInBatch: options.keepsOrderInBatch ?? true,
    received,
    connect: async () => undefined,
    check: async () => null,
    async publish(messages, signal) {
      const outcomes: PublishOutcome[] = [];
      const stopped = new Set<string>();
      for (const message of messages) {
        const { aggregateKey } = message;
        const outcome = aggregateKey !== null && stopped.has(aggregateKey) ? ABORTED : await one(message, signal);
        if (outcome.kind !== "published" && aggregateKey !== null) stopped.add(aggregateKey);
        outcomes.push(outcome);
      }
      return outcomes;
    },
    close: async () => undefined,
    describe: () => ({ kind: "memory", address: "this process" }),
  };
}
