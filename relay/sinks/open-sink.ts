import type { SinkConfig } from "#services/config/config-schema.ts";
import type { Router } from "../routing/router.ts";
import { createHttpSink } from "./http/http-sink.ts";
import { createKafkaSink } from "./kafka/kafka-sink.ts";
import { createLogSink } from "./log/log-sink.ts";
import { createNatsSink } from "./nats/nats-sink.ts";
import { createRabbitmqSink } from "./rabbitmq/rabbitmq-sink.ts";
import { createRedisSink } from "./redis/redis-sink.ts";
import type { Sink } from "./sink.ts";

/** The sink of one outbox, from its configuration. Opens no connection yet. */
export function openSink(input: { config: SinkConfig; outbox: string; concurrency: number; route: Router }): Sink {
  const { config } = input;
  switch (config.kind) {
    case "log":
      return createLogSink({ outbox: input.outbox });
    case "http":
      return createHttpSink({ config, concurrency: input.concurrency, route: input.route });
    case "kafka":
      return createKafkaSink({ config, route: input.route });
    case "nats":
      return createNatsSink({ config, route: input.route });
    case "rabbitmq":
      return createRabbitmqSink({ config, route: input.route });
    case "redis":
      return createRedisSink({ config, route: input.route });
  }
}
