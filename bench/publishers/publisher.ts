import type { Target } from "../target.ts";
import { openHttpPublisher } from "./http.ts";
import { openKafkaPublisher } from "./kafka.ts";
import { openNatsPublisher } from "./nats.ts";
import { openRabbitmqPublisher } from "./rabbitmq.ts";
import { openRedisPublisher } from "./redis.ts";

export interface BenchRow {
  id: string;
  type: string;
  aggregate: string;
  event: string;
  payload: string;
  created: string;
}

/** What a reference publishes with: a client that is widely used, and nothing around it. */
export interface Publisher {
  /** All of them, as quickly as the client can; no order is kept. Resolves once all are confirmed. */
  all(rows: readonly BenchRow[]): Promise<void>;
  /** One, confirmed. */
  one(row: BenchRow): Promise<void>;
  close(): Promise<void>;
}

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
