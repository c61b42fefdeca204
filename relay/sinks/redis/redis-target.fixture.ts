import { Redis } from "ioredis";
import { onTestFinished } from "vitest";
import { relaySchema } from "#services/config/relay-schema.ts";
import type { RedisSinkConfig } from "#services/config/sinks/redis-sink-schema.ts";
import { startTcpProxy, type TcpProxy } from "#tests/tcp-proxy.ts";
import { createRouter } from "../../routing/create-router.ts";
import { makeMessage } from "../../testing/make-message.fixture.ts";
import type { PublishOutcome, Sink } from "../sink.ts";
import { createRedisSink } from "./redis-sink.ts";

/** A signal that never aborts. */
export const never = new AbortController().signal;

export type RedisSettings = Partial<RedisSinkConfig>;

/** A sink that sends to `topic`, a template. */
export function openRedisSink(topic: string, settings: RedisSettings & { url: string }): Sink {
  const route = createRouter({
    config: relaySchema.parse({ sink: "s", route: { topic } }).route,
    outbox: "orders",
    sinkKind: "redis",
  });
  const usual = { kind: "redis", tls: false, exactLength: false, timeout: 5000, connectTimeout: 1000 } as const;
  return createRedisSink({ config: { ...usual, ...settings }, route });
}

export interface RedisTarget {
  sink: Sink;
  proxy: TcpProxy;
  client: Redis;
  /** A stream's entries, each as its fields by name, in bytes. */
  entries(stream: string): Promise<Map<string, Buffer>[]>;
  /** One field of each entry, as text. */
  texts(stream: string, field?: string): Promise<(string | undefined)[]>;
}

/**
 * A sink that reaches the broker through a proxy, and a client that bypasses it; both closed at the end of the test.
 */
export async function openRedisTarget(
  broker: { host: string; port: number },
  topic: string,
  settings: RedisSettings = {},
): Promise<RedisTarget> {
  const proxy = await startTcpProxy(broker);
  const sink = openRedisSink(topic, { url: `redis://127.0.0.1:${proxy.port}`, ...settings });
  const client = new Redis({ ...broker, lazyConnect: true });
  client.on("error", () => undefined);
  onTestFinished(async () => {
    await sink.close();
    client.disconnect();
    await proxy.close();
  });
  const entries = async (stream: string) => readEntries(client, stream);
  return {
    sink,
    proxy,
    client,
    entries,
    texts: async (stream, field = "payload") => (await entries(stream)).map((entry) => entry.get(field)?.toString()),
  };
}

export async function readEntries(client: Redis, stream: string): Promise<Map<string, Buffer>[]> {
  const entries = await client.xrangeBuffer(stream, "-", "+");
  return entries.map(([, fields]) => {
    const byName = new Map<string, Buffer>();
    for (let at = 0; at < fields.length; at += 2) byName.set(String(fields[at]), fields[at + 1] ?? Buffer.alloc(0));
    return byName;
  });
}

/** Outcome of each message, in a word. */
export function kinds(outcomes: readonly PublishOutcome[]): string[] {
  return outcomes.map((outcome) => (outcome.kind === "failed" ? outcome.failure.code : outcome.kind));
}

/** Messages of one aggregate, in order. */
export function run(count: number, aggregateId = "a", from = 0): ReturnType<typeof makeMessage>[] {
  return Array.from({ length: count }, (_, n) => makeMessage(from + n, { aggregateId }));
}
