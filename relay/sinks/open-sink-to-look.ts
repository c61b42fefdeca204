import { openSink } from "./open-sink.ts";
import type { Sink } from "./sink.ts";

/**
 * Opens a sink that creates nothing at the broker, for the doctor: an exchange with `declare: true` is looked up, not
 * declared.
 */
export function openSinkToLook(input: Omit<Parameters<typeof openSink>[0], "concurrency">): Promise<Sink> {
  const { config } = input;
  const passive = config.kind === "rabbitmq" ? { ...config, declare: false } : config;
  return openSink({ ...input, config: passive, concurrency: 1 });
}
