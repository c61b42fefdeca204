import { jetstreamManager, type StreamConfig } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { onTestFinished } from "vitest";
import { configSchema } from "#services/config/config-schema.ts";
import type { NatsSinkConfig } from "#services/config/sinks/nats-sink-schema.ts";
import type { Broker } from "#tests/brokers/broker.ts";
import { uniqueName } from "#tests/brokers/unique-name.ts";
import type { Router } from "../../routing/router.ts";
import type { Arrived } from "../sink.conformance.ts";
import type { Sink } from "../sink.ts";
import { createNatsSink } from "./nats-sink.ts";

/** Subjects begin with a prefix unique to the test; the topic column is the rest. */
const routeUnder =
  (prefix: string): Router =>
  (message) => ({
    routed: {
      topic: `${prefix}.${message.topic ?? "orders"}`,
      key: message.aggregateId,
      headers: [["event_id", message.eventId]],
      body: message.payloadKind === "binary" ? Buffer.from(message.payload ?? "", "base64") : message.payload,
      contentType: "application/json",
    },
  });

/** A sink, closed at the end of the test. */
export function openSink(servers: string, prefix: string, settings: Partial<NatsSinkConfig> = {}): Sink {
  const { sinks } = configSchema.parse({ sinks: { events: { kind: "nats", servers: [servers], timeout: "2s" } } });
  const config = { ...(sinks.events as NatsSinkConfig), ...settings };
  const sink = createNatsSink({ config, route: routeUnder(prefix) });
  onTestFinished(() => sink.close());
  return sink;
}

/** A stream over `<prefix>.orders.>` and `<prefix>.orders`, read over a separate connection. */
export async function openSide(
  broker: Broker,
  limits: Partial<StreamConfig> = {},
  login: { user?: string; pass?: string } = {},
) {
  const connection = await connect({ servers: broker.url, ...login });
  const manager = await jetstreamManager(connection);
  const stream = uniqueName("stream");
  await manager.streams.add({ name: stream, subjects: [`${stream}.orders`, `${stream}.orders.>`], ...limits });
  const received = async (): Promise<Arrived[]> => {
    const { state } = await manager.streams.info(stream);
    const arrived: Arrived[] = [];
    for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq += 1) {
      const message = await manager.streams.getMessage(stream, { seq });
      if (message) arrived.push({ id: message.header.get("Nats-Msg-Id"), body: message.string() });
    }
    return arrived;
  };
  const close = async () => {
    await manager.streams.delete(stream);
    await connection.close();
  };
  return { prefix: stream, connection, manager, received, close };
}
