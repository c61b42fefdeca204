import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import {
  Admin,
  Consumer,
  MessagesStreamModes,
  Producer,
  stringDeserializers,
  stringSerializers,
} from "@platformatic/kafka";
import { Redis } from "ioredis";
import { Connection } from "rabbitmq-client";
import { waitFor } from "#tests/wait-for.ts";
import type { Broker } from "./broker.ts";
import type { BrokerKind } from "./broker-kinds.ts";

/** `write` resolves when the broker has confirmed; each call opens a new connection, so restarts do not matter. */
export type RoundTripClient = {
  write(name: string, text: string): Promise<void>;
  /** The first text written under this name. */
  read(name: string): Promise<string>;
};

export const ROUND_TRIP_CLIENTS: Record<BrokerKind, (broker: Broker) => RoundTripClient> = {
  kafka: kafkaClient,
  rabbitmq: rabbitmqClient,
  nats: natsClient,
  redis: redisClient,
};

function kafkaClient({ addresses }: Broker): RoundTripClient {
  const base = { clientId: "round-trip", bootstrapBrokers: addresses };
  return {
    write: async (topic, text) => {
      const admin = new Admin(base);
      const producer = new Producer({ ...base, serializers: stringSerializers });
      try {
        const topics = await admin.listTopics();
        if (!topics.includes(topic)) await admin.createTopics({ topics: [topic], partitions: 1, replicas: 1 });
        await producer.send({ messages: [{ topic, key: "k", value: text }], acks: -1 });
      } finally {
        await Promise.all([admin.close(), producer.close()]);
      }
    },
    read: async (topic) => {
      const consumer = new Consumer({ ...base, groupId: `read-${topic}`, deserializers: stringDeserializers });
      try {
        const stream = await consumer.consume({
          topics: [topic],
          mode: MessagesStreamModes.EARLIEST,
          autocommit: false,
        });
        for await (const message of stream) return message.value ?? "";
        throw new Error(`The topic ${topic} ended.`);
      } finally {
        await consumer.close(true);
      }
    },
  };
}

function redisClient({ url }: Broker): RoundTripClient {
  const use = async <T>(run: (redis: Redis) => Promise<T>): Promise<T> => {
    const redis = new Redis(url, { maxRetriesPerRequest: 1 });
    try {
      return await run(redis);
    } finally {
      redis.disconnect();
    }
  };
  return {
    write: (name, text) => use(async (redis) => void (await redis.xadd(name, "*", "text", text))),
    read: (name) => use(async (redis) => (await redis.xrange(name, "-", "+"))[0]?.[1][1] ?? ""),
  };
}

function natsClient({ url }: Broker): RoundTripClient {
  const use = async <T>(run: (connection: Awaited<ReturnType<typeof connect>>) => Promise<T>): Promise<T> => {
    const connection = await connect({ servers: url });
    try {
      return await run(connection);
    } finally {
      await connection.close();
    }
  };
  return {
    write: (name, text) =>
      use(async (connection) => {
        const manager = await jetstreamManager(connection);
        await manager.streams.add({ name, subjects: [name] });
        await jetstream(connection).publish(name, text);
      }),
    read: (name) =>
      use(async (connection) => {
        const manager = await jetstreamManager(connection);
        return (await manager.streams.getMessage(name, { seq: 1 }))?.string() ?? "";
      }),
  };
}

function rabbitmqClient({ url }: Broker): RoundTripClient {
  const use = async <T>(run: (connection: Connection) => Promise<T>): Promise<T> => {
    const connection = new Connection({ url });
    try {
      return await run(connection);
    } finally {
      await connection.close();
    }
  };
  return {
    write: (queue, text) =>
      use(async (connection) => {
        await connection.queueDeclare({ queue, durable: true });
        const publisher = connection.createPublisher({ confirm: true });
        await publisher.send({ routingKey: queue, durable: true }, text);
        await publisher.close();
      }),
    // After a restart the queue answers before it has reloaded its messages.
    read: (queue) =>
      use((connection) =>
        waitFor(async () => (await connection.basicGet({ queue, noAck: true }))?.body as string | undefined, {
          message: `the queue ${queue} has a message`,
        }),
      ),
  };
}
