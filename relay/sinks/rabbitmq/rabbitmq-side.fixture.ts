import { Connection, type SyncMessage } from "rabbitmq-client";
import { onTestFinished } from "vitest";
import { configSchema } from "#services/config/config-schema.ts";
import type { RabbitmqSinkConfig } from "#services/config/sinks/rabbitmq-sink-schema.ts";
import type { Broker } from "#tests/brokers/broker.ts";
import { uniqueName } from "#tests/brokers/unique-name.ts";
import type { Router } from "../../routing/router.ts";
import type { Arrived } from "../sink.conformance.ts";
import type { Sink } from "../sink.ts";
import { createRabbitmqSink } from "./rabbitmq-sink.ts";

/** The topic column is the routing key. The payload is bytes, because the reading client would parse JSON. */
const route: Router = (message) => ({
  routed: {
    topic: message.topic ?? "orders.a",
    key: message.aggregateId,
    headers: [["event_id", message.eventId]],
    body: message.payloadKind === "binary" ? Buffer.from(message.payload ?? "", "base64") : message.payload,
    contentType: "application/octet-stream",
  },
});

/** A sink, closed at the end of the test. */
export function openSink(url: string, settings: Partial<RabbitmqSinkConfig> = {}): Sink {
  const { sinks } = configSchema.parse({ sinks: { events: { kind: "rabbitmq", url, timeout: "2s" } } });
  const sink = createRabbitmqSink({ config: { ...(sinks.events as RabbitmqSinkConfig), ...settings }, route });
  onTestFinished(() => sink.close());
  return sink;
}

/** An exchange and a queue bound to `orders.#`, read over a separate connection. */
export async function openSide(broker: Broker, queueArguments: Record<string, unknown> = {}) {
  const connection = new Connection(broker.url);
  connection.on("error", () => undefined);
  const channel = await connection.acquire();
  const [exchange, queue] = [uniqueName("exchange"), uniqueName("queue")];
  await channel.exchangeDeclare({ exchange, type: "topic", durable: true });
  await channel.queueDeclare({ queue, durable: true, arguments: queueArguments });
  await channel.queueBind({ exchange, queue, routingKey: "orders.#" });
  const read: SyncMessage[] = [];
  const messages = async () => {
    for (let next = await channel.basicGet({ queue, noAck: true }); next; ) {
      read.push(next);
      next = await channel.basicGet({ queue, noAck: true });
    }
    return read;
  };
  const received = async (): Promise<Arrived[]> =>
    (await messages()).map(({ messageId, body }) => ({ id: messageId, body: String(body) }));
  const leave = async () => {
    await channel.close();
    await connection.close();
  };
  const close = async () => {
    await channel.queueDelete({ queue });
    await channel.exchangeDelete({ exchange });
    await leave();
  };
  return { exchange, queue, channel, messages, received, leave, close };
}
