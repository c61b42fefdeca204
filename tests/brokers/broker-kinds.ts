export const BROKER_KINDS = ["kafka", "rabbitmq", "nats", "redis"] as const;

export type BrokerKind = (typeof BROKER_KINDS)[number];

/** Default port of each broker. */
export const DEFAULT_PORTS: Record<BrokerKind, number> = { kafka: 9092, rabbitmq: 5672, nats: 4222, redis: 6379 };

/** Environment variable with a running broker's address, or `none` to test without it. */
export const URL_VARIABLES: Record<BrokerKind, string> = {
  kafka: "TEST_KAFKA_URL",
  rabbitmq: "TEST_RABBITMQ_URL",
  nats: "TEST_NATS_URL",
  redis: "TEST_REDIS_URL",
};

/** RabbitMQ's default user, which is allowed over loopback only, where the test servers listen. */
const RABBITMQ_USER = "guest:guest@";

export function brokerUrl(kind: BrokerKind, port: number): string {
  if (kind === "rabbitmq") return `amqp://${RABBITMQ_USER}127.0.0.1:${port}`;
  return `${kind}://127.0.0.1:${port}`;
}
