import { openSink } from "./open-sink.ts";
import type { Sink } from "./sink.ts";

/**
 * A sink that creates nothing at the broker: an exchange with `declare: true` is asked for, and not declared. For the
 * doctor.
 */
export function openSinkToLook(input: Omit<Parameters<typeof openSink>[0], "concurrency">): Promise<Sink> {
  const { config } = input;
  const passive = config.kind === "rabbitmq" ? { ...config, declare: false } : config;
  return openSink({ ...input, config: passive, concurrency: 1 });
}
