import type { SinkConfig } from "#services/config/config-schema.ts";
import { createHttpSink } from "./http/http-sink.ts";
import { createLogSink } from "./log/log-sink.ts";
import type { Sink } from "./sink.ts";

/** The sink of one outbox, from its configuration. Opens no connection yet. */
export function openSink(input: { config: SinkConfig; outbox: string; concurrency: number }): Sink {
  const { config } = input;
  switch (config.kind) {
    case "log":
      return createLogSink({ outbox: input.outbox });
    case "http":
      return createHttpSink({
        url: config.url,
        headers: config.headers,
        timeoutMs: config.timeout,
        connectTimeoutMs: config.connectTimeout,
        concurrency: input.concurrency,
      });
  }
}
