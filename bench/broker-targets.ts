import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { Admin } from "@platformatic/kafka";
import { Redis } from "ioredis";
import { Connection } from "rabbitmq-client";
import type { OwnBroker } from "#tests/brokers/broker.ts";
import type { BrokerKind } from "#tests/brokers/broker-kinds.ts";
import { startBroker } from "#tests/brokers/start-broker.ts";
import { type Target, TOPIC } from "./target.ts";

/** Partitions of Kafka's topic. */
const PARTITIONS = 8;
/** Most messages that the broker keeps: many enough to be realistic, few enough for its memory. */
const KEPT = 50_000;

export interface BrokerTarget {
  target: Target;
  version: string | null;
  stop(): Promise<void>;
}

/** A broker private to the benchmark, with its topic or queue. Throws BrokerUnavailable. */
export async function startBrokerTarget(kind: BrokerKind): Promise<BrokerTarget> {
  const broker = await startBroker(kind);
  try {
    await PREPARE[kind](broker);
  } catch (error) {
    await broker.remove();
    throw error;
  }
  const url = kind === "kafka" ? broker.addresses.join(",") : broker.url;
  return { target: { kind, url }, version: broker.version, stop: () => broker.remove() };
}

const PREPARE: Record<BrokerKind, (broker: OwnBroker) => Promise<void>> = {
  async kafka({ addresses }) {
    const admin = new Admin({ clientId: "bench", bootstrapBrokers: addresses });
    await admin.createTopics({ topics: [TOPIC], partitions: PARTITIONS, replicas: 1 });
    await admin.close();
  },
  async rabbitmq({ url }) {
    const connection = new Connection({ url });
    await connection.queueDeclare({
      queue: TOPIC,
      durable: true,
      arguments: { "x-max-length": KEPT, "x-queue-mode": "lazy" },
    });
    await connection.close();
  },
  async nats({ url }) {
    const connection = await connect({ servers: url });
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: TOPIC, subjects: [TOPIC], max_msgs: KEPT });
    await connection.close();
  },
  async redis({ url }) {
    const redis = new Redis(url, { lazyConnect: true });
    await redis.connect();
    await redis.config("SET", "maxmemory", "2gb");
    redis.disconnect();
  },
};
