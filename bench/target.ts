/** Where a contender publishes to. Serialisable: it crosses to the contender's process. */
export interface Target {
  kind: "noop" | "http" | "http-batch" | "redis" | "nats" | "rabbitmq" | "kafka";
  /** Address of the receiver or broker; empty for noop. */
  url: string;
}

/** Topic, stream, subject, routing key and queue of every broker, made before the run. */
export const TOPIC = "bench";
/** Events of one request where a request carries many. */
export const HTTP_BATCH = 100;
/** Requests or confirmations under way at once, where they go one by one: relay.concurrency's default. */
export const IN_FLIGHT = 64;
