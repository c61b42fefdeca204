import type { SinkConfig } from "#services/config/sinks/sink-schema.ts";
import type { Router } from "../routing/router.ts";
import type { Sink } from "./sink.ts";

/**
 * Opens the sink of one outbox from its configuration, without connecting yet. Imports only the client that the kind
 * needs: all brokers' clients together take a second and 100 MB, and a worker uses one or none.
 */
export async function openSink(input: {
  config: SinkConfig;
  outbox: string;
  concurrency: number;
  route: Router;
}): Promise<Sink> {
  const { config, route } = input;
  switch (config.kind) {
    case "log":
      return (await import("./log/log-sink.ts")).createLogSink({ outbox: input.outbox });
    case "http":
      return (await import("./http/http-sink.ts")).createHttpSink({ config, concurrency: input.concurrency, route });
    case "kafka":
      return (await import("./kafka/kafka-sink.ts")).createKafkaSink({ config, route });
    case "nats":
      return (await import("./nats/nats-sink.ts")).createNatsSink({ config, route });
    case "rabbitmq":
      return (await import("./rabbitmq/rabbitmq-sink.ts")).createRabbitmqSink({ config, route });
    case "redis":
      return (await import("./redis/redis-sink.ts")).createRedisSink({ config, route });
  }
}
