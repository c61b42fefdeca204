import { pino } from "pino";
import { createRelayTable } from "#db/outbox/postgres/relay-table.ts";
import { OutboxRelay } from "#relay/outbox-relay.ts";
import { createRouter } from "#relay/routing/create-router.ts";
import { openSink } from "#relay/sinks/open-sink.ts";
import type { Sink } from "#relay/sinks/sink.ts";
import { configSchema, type RelayConfig, type SinkConfig } from "#services/config/config-schema.ts";
import { MAPPING, OUTBOX } from "../outbox-table.ts";
import { HTTP_BATCH, type Target, TOPIC } from "../target.ts";
import type { Contender } from "./contender.ts";

const NOOP: Sink = {
  kind: "noop",
  maxBatch: 1000,
  keepsOrderInBatch: true,
  connect: async () => undefined,
  check: async () => null,
  publish: async (messages) => messages.map(() => ({ kind: "published" })),
  close: async () => undefined,
  describe: () => ({ kind: "noop", address: "nowhere" }),
};

/** The relay as it runs in production, with the defaults of its configuration: lease, claims, order, heartbeats. */
export const relay: Contender = {
  async start({ url, target, instance }) {
    const { config, sink } = settingsOf(target);
    const id = `bench-${instance}`;
    const table = createRelayTable({
      outbox: OUTBOX,
      mapping: MAPPING,
      url,
      ordering: config.ordering,
      maxAttempts: config.maxAttempts,
      relayId: id,
      sinkName: "bench",
    });
    const outboxRelay = new OutboxRelay({
      id,
      version: "bench",
      table,
      sink,
      sinkName: "bench",
      source: config.source,
      settings: {
        batchSize: config.batchSize,
        concurrency: config.concurrency,
        onFailure: config.onFailure,
        retry: { initialMs: config.retry.initial, maxMs: config.retry.max },
      },
      leaseMs: config.lease,
      force: true,
      log: pino({ level: process.env.LOG_LEVEL ?? "warn" }),
    });
    const stopping = new AbortController();
    const running = outboxRelay.run(stopping.signal);
    return {
      async stop() {
        stopping.abort();
        await running;
        await table.close();
      },
    };
  },
};

function settingsOf(target: Target): { config: RelayConfig; sink: Sink } {
  const { sinks, outboxes } = configSchema.parse({
    stores: { default: { kind: "postgres", url: "postgres://unused" } },
    sinks: { bench: sinkSettings(target) },
    outboxes: { [OUTBOX]: { table: "bench_outbox", mode: "relay", relay: { sink: "bench", route: { topic: TOPIC } } } },
  });
  const config = outboxes[OUTBOX]?.relay;
  const settings = sinks.bench;
  if (!config || !settings) throw new Error("The configuration of the benchmark lacks its outbox.");
  if (target.kind === "noop") return { config, sink: NOOP };
  const route = createRouter({ config: config.route, outbox: OUTBOX, sinkKind: settings.kind });
  return { config, sink: openSink({ config: settings, outbox: OUTBOX, concurrency: config.concurrency, route }) };
}

function sinkSettings({ kind, url }: Target): { kind: SinkConfig["kind"] } & Record<string, unknown> {
  switch (kind) {
    case "noop":
      return { kind: "log" };
    case "http":
      return { kind, url };
    case "http-batch":
      return { kind: "http", url, batch: HTTP_BATCH };
    case "redis":
    case "rabbitmq":
      return { kind, url };
    case "nats":
      return { kind, servers: [url] };
    case "kafka":
      return { kind, brokers: url.split(",") };
  }
}
