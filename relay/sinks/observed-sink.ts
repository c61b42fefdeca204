import type { Logger } from "pino";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { PublishOutcome, Sink } from "./sink.ts";

/** One call of `publish` that has ended; times are Unix ms. */
export interface SentRequest {
  messages: readonly OutgoingMessage[];
  outcomes: readonly PublishOutcome[];
  startMs: number;
  endMs: number;
}

/**
 * The sink, with an observer that sees each request once its outcomes are known. Requests are not changed. Errors of
 * the observer are only logged: the messages are sent, and their outcomes must not become unknown.
 */
export function observedSink(sink: Sink, observe: (request: SentRequest) => void, log: Pick<Logger, "debug">): Sink {
  return {
    kind: sink.kind,
    maxBatch: sink.maxBatch,
    keepsOrderInBatch: sink.keepsOrderInBatch,
    connect: () => sink.connect(),
    check: () => sink.check(),
    ...(sink.missingTopics ? { missingTopics: sink.missingTopics.bind(sink) } : {}),
    ...(sink.behind ? { behind: sink.behind } : {}),
    publish: async (messages, signal) => {
      const startMs = Date.now();
      const startedMs = performance.now();
      const outcomes = await sink.publish(messages, signal);
      try {
        observe({ messages, outcomes, startMs, endMs: startMs + (performance.now() - startedMs) });
      } catch (error) {
        log.debug({ err: error }, "a request to the sink could not be recorded");
      }
      return outcomes;
    },
    close: () => sink.close(),
    describe: () => sink.describe(),
  };
}
