export const BROKER_KINDS = ["kafka", "rabbitmq", "nats", "redis"] as const;

export type BrokerKind = (typeof BROKER_KINDS)[number];

/** Where a broker listens when nobody said otherwise. */
export const DEFAULT_PORTS: Record<BrokerKind, number> = { kafka: 9092, rabbitmq: 5672, nats: 4222, redis: 6379 };

/** Names a broker that is there already, or `none` when the tests shall do without. */
export const URL_VARIABLES: Record<BrokerKind, string> = {
  kafka: "TEST_KAFKA_URL",
  rabbitmq: "TEST_RABBITMQ_URL",
  nats: "TEST_NATS_URL",
  redis: "TEST_REDIS_URL",
};

/** RabbitMQ's own user of a new server; it is let in over loopback only, which is where the test servers listen. */
const RABBITMQ_USER = "guest:guest@";

export function brokerUrl(kind: BrokerKind, port: number): string {
  if (kind === "rabbitmq") return `amqp://${RABBITMQ_USER}127.0.0.1:${port}`;
  return `${kind}://127.0.0.1:${port}`;
}
