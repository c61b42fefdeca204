import { openSink } from "#relay/sinks/open-sink.ts";
import { kafkaSinkSchema } from "#services/config/sinks/kafka-sink-schema.ts";
import { redisSinkSchema } from "#services/config/sinks/redis-sink-schema.ts";
import { type Contender, type ContenderInput, routerOf } from "./contender.ts";

/** The sink as the product opens it, with its configuration's defaults. */
export function openOurs(input: ContenderInput): Promise<Contender> {
  const times = { timeout: `${input.timeoutMs}ms`, connectTimeout: `${input.connectTimeoutMs}ms` };
  const address = `127.0.0.1:${input.port}`;
  const config =
    input.sink === "kafka"
      ? kafkaSinkSchema.parse({ kind: "kafka", brokers: [address], ...times })
      : redisSinkSchema.parse({ kind: "redis", url: `redis://${address}`, ...times });
  return openSink({ config, outbox: "soak", concurrency: 64, route: routerOf(input) });
}
