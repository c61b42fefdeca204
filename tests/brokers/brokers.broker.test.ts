import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { Redis } from "ioredis";
import { Connection } from "rabbitmq-client";
import { describe, expect, test } from "vitest";
import type { Broker } from "./broker.ts";
import type { BrokerKind } from "./broker-kinds.ts";
import { ownBroker } from "./own-broker.ts";
import { testBroker } from "./test-broker.ts";
import { uniqueName } from "./unique-name.ts";

type Client = { write(name: string, text: string): Promise<void>; read(name: string): Promise<string | null> };

/** Writes durably, waits for the broker's confirmation, and reads it back, each with a client of its own. */
const CLIENTS: Partial<Record<BrokerKind, (broker: Broker) => Client>> = {
  redis: ({ url }) => ({
    write: (name, text) => withRedis(url, async (redis) => void (await redis.xadd(name, "*", "text", text))),
    read: (name) => withRedis(url, async (redis) => (await redis.xrange(name, "-", "+"))[0]?.[1][1] ?? null),
  }),
  nats: ({ url }) => ({
    write: (name, text) =>
      withNats(url, async (connection) => {
        await (await jetstreamManager(connection)).streams.add({ name, subjects: [name] });
        await jetstream(connection).publish(name, text);
      }),
    read: (name) =>
      withNats(url, async (connection) => {
        const manager = await jetstreamManager(connection);
        return (await manager.streams.getMessage(name, { seq: 1 }))?.string() ?? null;
      }),
  }),
  rabbitmq: ({ url }) => ({
    write: (queue, text) =>
      withRabbitmq(url, async (connection) => {
        await connection.queueDeclare({ queue, durable: true });
        const publisher = connection.createPublisher({ confirm: true });
        await publisher.send({ routingKey: queue, durable: true }, text);
        await publisher.close();
      }),
    read: (queue) => withRabbitmq(url, async (connection) => (await connection.basicGet({ queue, noAck: true }))?.body),
  }),
};

async function withRedis<T>(url: string, use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { maxRetriesPerRequest: 1 });
  try {
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

async function withNats<T>(url: string, use: (connection: Awaited<ReturnType<typeof connect>>) => Promise<T>) {
  const connection = await connect({ servers: url });
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

async function withRabbitmq<T>(url: string, use: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = new Connection({ url });
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

for (const [name, clientOf] of Object.entries(CLIENTS)) {
  const kind = name as BrokerKind;
  describe(kind, () => {
    const shared = testBroker(kind);

    test("a shared one answers", async () => {
      const [client, stream] = [clientOf(shared()), uniqueName()];
      await client.write(stream, "hello");
      expect(await client.read(stream)).toBe("hello");
      expect(shared().version).toMatch(/^\d+\.\d+/);
    });

    test("one of its own keeps its port and its data through SIGKILL and through a stop", {
      timeout: 120_000,
    }, async () => {
      const broker = await ownBroker(kind);
      const client = clientOf(broker);
      await client.write("killed", "before SIGKILL");
      await broker.kill();
      expect(broker.isRunning()).toBe(false);
      await broker.start();
      expect(await client.read("killed")).toBe("before SIGKILL");
      await client.write("stopped", "before a stop");
      await broker.restart();
      expect(await client.read("stopped")).toBe("before a stop");
    });
  });
}
