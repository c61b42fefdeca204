import { Redis } from "ioredis";
import { PUBLISHED } from "#relay/sinks/sink.ts";
import { type Contender, type ContenderInput, failedWith, routerOf } from "./contender.ts";

/**
 * ioredis as its documentation shows it: one pipeline per call, with its own reconnects and resends. Only the
 * time limits differ from its defaults; by default a command waits for its answer forever.
 */
export function openIoredis(input: ContenderInput): Contender {
  const route = routerOf(input);
  const redis = new Redis({
    host: "127.0.0.1",
    port: input.port,
    lazyConnect: true,
    commandTimeout: input.timeoutMs,
    connectTimeout: input.connectTimeoutMs,
  });
  // Each command reports its own failure; an error event without a listener would only be printed.
  redis.on("error", () => undefined);
  return {
    maxBatch: 1000,
    // Commands after a failed one still run.
    keepsOrderInBatch: false,
    connect: () => redis.connect(),
    publish: async (messages) => {
      const pipeline = redis.pipeline();
      for (const message of messages) {
        const result = route(message);
        if ("failure" in result) throw new Error(result.failure.message);
        const { topic, key, headers, body, contentType } = result.routed;
        pipeline.xadd(
          topic,
          "*",
          ...headers.flat(),
          "key",
          key ?? "",
          "content_type",
          contentType,
          "payload",
          body ?? "",
        );
      }
      const replies = (await pipeline.exec()) ?? [];
      return messages.map((_, index) => {
        const [error] = replies[index] ?? [new Error("no reply")];
        return error ? failedWith(error) : PUBLISHED;
      });
    },
    close: async () => redis.disconnect(),
  };
}
