import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import type { PipelineSettings } from "../pipeline/state/pipeline-context.ts";
import { createMemorySink } from "../sinks/memory/memory-sink.ts";
import type { PublishOutcome } from "../sinks/sink.ts";
import { createBenchRelay, openBenchTable } from "./bench-relay.fixture.ts";

export interface MortalRelay {
  id: string;
  /** Stops cleanly. */
  leave(): void;
  /** From now on nothing from it reaches the database or the sink, as after kill -9. */
  crash(): void;
  /** Resolves once it has stopped, or once a crashed one is cleaned up. */
  gone: Promise<void>;
}

/** A relay of the bench table in this process that can stop cleanly or crash, next to others. */
export function startMortalRelay(input: {
  id: string;
  url: string;
  leaseMs: number;
  settings: PipelineSettings;
  /** Called for each message that reaches the sink. */
  answer: (message: OutgoingMessage) => Promise<PublishOutcome>;
}): MortalRelay {
  const { id, url, leaseMs, settings } = input;
  let dead = false;
  const real = openBenchTable({ url, relayId: id });
  const table = new Proxy<RelayTable>(real, {
    get(target, name: keyof RelayTable) {
      const value = target[name];
      if (typeof value !== "function" || name === "compareOrder") return value;
      return (...args: never[]) =>
        dead ? Promise.reject(new Error("This relay is dead.")) : (value as (...all: never[]) => unknown)(...args);
    },
  });
  const aborted: PublishOutcome = { kind: "aborted" };
  const sink = createMemorySink({
    maxBatch: 10,
    answer: async (message) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
      return dead ? aborted : input.answer(message);
    },
  });
  const relay = createBenchRelay({ id, table, sink, settings, leaseMs, share: true });
  const stopping = new AbortController();
  const gone = relay
    .run(stopping.signal)
    .catch((error: unknown) => {
      if (!dead) throw error;
    })
    .finally(() => real.close());
  return {
    id,
    gone,
    leave: () => stopping.abort(),
    crash: () => {
      dead = true;
      stopping.abort();
    },
  };
}
