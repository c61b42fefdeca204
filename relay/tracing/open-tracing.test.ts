import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { Sink } from "../sinks/sink.ts";
import { openTracing, type Tracing } from "./open-tracing.ts";
import { tracingSettings } from "./tracing-settings.ts";

const log = pino({ level: "silent" });

/** A collector that keeps the requests it gets. */
async function startCollector(status = 200) {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      bodies.push(`${request.url} ${body}`);
      response.writeHead(status, { "content-type": "application/json" }).end("{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { bodies, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Publishes a message without a topic to a sink called `bus`. */
async function publishOne(tracing: Tracing | null): Promise<void> {
  const sink = { kind: "http", maxBatch: 1, keepsOrderInBatch: false, publish: async () => [{ kind: "published" }] };
  const options = {
    outbox: "orders",
    sinkName: "bus",
    topicOf: () => null,
    messages: "link",
    slowMs: 60_000,
    log,
  } as const;
  const message = { ...{ eventId: "1", eventType: "a", headers: null, createdAt: null, attempts: 0 } };
  await tracing
    ?.traced(sink as unknown as Sink, options)
    .publish([message as OutgoingMessage], new AbortController().signal);
}

function withEnv(env: Record<string, string>) {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  return env;
}

test("without an exporter, or when switched off, there is no tracing", async () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };
  expect(await openTracing({}, log)).toBeNull();
  expect(await openTracing({ ...endpoint, OTEL_SDK_DISABLED: "true" }, log)).toBeNull();
  expect(await openTracing({ ...endpoint, OTEL_TRACES_EXPORTER: "none" }, log)).toBeNull();
});

test("an exporter and a protocol that are not known are named, and nothing is sent", () => {
  expect(tracingSettings({ OTEL_TRACES_EXPORTER: "zipkin" })).toEqual({ problem: expect.stringContaining("zipkin") });
  const grpc = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4317", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" };
  expect(tracingSettings(grpc)).toEqual({ problem: expect.stringContaining("grpc") });
});

test("samplers and limits are those of the environment", () => {
  const env = {
    ...{
      OTEL_TRACES_EXPORTER: "otlp",
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0.25",
    },
    ...{ OTEL_BSP_MAX_QUEUE_SIZE: "10", OTEL_SPAN_LINK_COUNT_LIMIT: "5" },
  };
  expect(tracingSettings(env)).toMatchObject({
    ...{ exporter: "http/protobuf", sampler: { kind: "ratio", ratio: 0.25, followsParent: true } },
    ...{ batch: { queue: 10, size: 512 }, linkLimit: 5 },
  });
  expect(tracingSettings({ ...env, OTEL_SPAN_LINK_COUNT_LIMIT: "1000" })).toMatchObject({ linkLimit: 128 });
  expect(tracingSettings({ ...env, OTEL_TRACES_SAMPLER: "always_off" })).toMatchObject({
    sampler: { kind: "off", followsParent: false },
  });
});

test("spans arrive at the collector with the service's name when the worker stops", async () => {
  const collector = await startCollector();
  const env = withEnv({
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" },
    OTEL_SERVICE_NAME: "shop-relay",
  });
  const tracing = await openTracing(env, log);
  await publishOne(tracing);
  await tracing?.stop();
  expect(collector.bodies).toHaveLength(1);
  expect(collector.bodies[0]).toMatch(/^\/v1\/traces .*"shop-relay".*"send bus"/s);
});

test("a collector that is away costs spans only, and is told once", async () => {
  const warned: string[] = [];
  const telling = pino({ level: "warn" }, { write: (line: string) => void warned.push(JSON.parse(line).msg) });
  const env = withEnv({ OTEL_EXPORTER_OTLP_ENDPOINT: (await startCollector(400)).url });
  const tracing = await openTracing(env, telling);
  await publishOne(tracing);
  await tracing?.stop();
  expect(warned.filter((line) => !line.startsWith("traces: "))).toEqual([
    "traces cannot be sent: their spans are lost. Messages are not affected.",
  ]);
});
