import type { Target } from "../target.ts";
import { openHttpPublisher } from "./http.ts";
import { openKafkaPublisher } from "./kafka.ts";
import { openNatsPublisher } from "./nats.ts";
import type { Publisher } from "./publisher.ts";
import { openRabbitmqPublisher } from "./rabbitmq.ts";
import { openRedisPublisher } from "./redis.ts";

export async function openPublisher(target: Target): Promise<Publisher> {
  switch (target.kind) {
    case "noop":
      return { all: async () => undefined, one: async () => undefined, close: async () => undefined };
    case "http":
    case "http-batch":
      return openHttpPublisher(target);
    case "redis":
      return openRedisPublisher(target.url);
    case "nats":
      return openNatsPublisher(target.url);
    case "rabbitmq":
      return openRabbitmqPublisher(target.url);
    case "kafka":
      return openKafkaPublisher(target.url);
  }
}
