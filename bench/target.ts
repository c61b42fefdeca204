/** Destination of a contender's messages. Serialisable, since it is passed to the contender's process. */
export interface Target {
  kind: "noop" | "http" | "http-batch" | "redis" | "nats" | "rabbitmq" | "kafka";
  /** Address of the receiver or broker; empty for noop. */
  url: string;
}

/** Topic, stream, subject, routing key or queue, created before the run. */
export const TOPIC = "bench";
/** Events per request, where a request carries many. */
export const HTTP_BATCH = 100;
/** Requests or confirmations in flight, where messages go one by one: relay.concurrency's default. */
export const IN_FLIGHT = 64;
