import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { pino } from "pino";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { fingerprintOf, type MappingFingerprint } from "#db/stores/port/mapping-fingerprint.ts";
import { readCatalog } from "#db/stores/postgres/catalog/read-catalog.ts";
import { openPostgresStore } from "#db/stores/postgres/open-postgres-store.ts";
import { replaceFingerprint } from "#db/stores/postgres/own-schema/mapping-fingerprints.ts";
import { createRouter } from "#relay/routing/create-router.ts";
import { runRelay } from "#relay/run-relay.ts";
import { openSink } from "#relay/sinks/open-sink.ts";
import type { Sink } from "#relay/sinks/sink.ts";
import { configSchema } from "#services/config/config-schema.ts";
import type { RelayConfig } from "#services/config/relay-schema.ts";
import type { SinkConfig } from "#services/config/sinks/sink-schema.ts";
import { MAPPING, OUTBOX, TABLE } from "#tests/outbox-table.ts";
import { HTTP_BATCH, type Target, TOPIC } from "../target.ts";
import type { Contender } from "./contender.ts";
import { makeStream } from "./make-stream.ts";

const LOOK_MS = 5;

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

/** Loaded before the clock starts, like the references' clients. */
await Promise.all([
  import("#relay/sinks/http/http-sink.ts"),
  import("#relay/sinks/kafka/kafka-sink.ts"),
  import("#relay/sinks/nats/nats-sink.ts"),
  import("#relay/sinks/rabbitmq/rabbitmq-sink.ts"),
  import("#relay/sinks/redis/redis-sink.ts"),
]);

/** The relay as in production, with its configuration's defaults: lease, claims, order, heartbeats. */
export const relay: Contender = {
  start: (input) => startRelay(input, { source: "polling" }),
};

/** The relay reading the log, starting at the log's current position. */
export const relayCdc: Contender = {
  async start(input) {
    await makeStream(input.url);
    return startRelay(input, { source: "cdc" });
  },
};

/** The same, storing only its position in the log: without claims, marks and counts of attempts. */
export const relayCdcUnmarked: Contender = {
  async start(input) {
    await makeStream(input.url);
    return startRelay(input, { source: "cdc", cdc: { mark: "none" } });
  },
};

/** Debezium's message, with the same topic, key, body and headers, plus our own header with the id. */
const AS_DEBEZIUM = { preset: "debezium", fields: { eventType: "event_type" } };

/**
 * The relay compared with Debezium. With `cdc` it reads from the existing slot, because rows were written after its
 * creation.
 */
export const connectRelay: Contender = {
  start: (input) => startRelay(input, { source: "polling", route: AS_DEBEZIUM }),
};
export const connectRelayCdc: Contender = {
  start: (input) => startRelay(input, { source: "cdc", route: AS_DEBEZIUM }),
};
/** Stores only its position in the log. */
export const connectRelayUnmarked: Contender = {
  start: (input) => startRelay(input, { source: "cdc", cdc: { mark: "none" }, route: AS_DEBEZIUM }),
};

interface Settings {
  source: RelayConfig["source"];
  cdc?: { mark: "none" };
  route?: Record<string, unknown>;
}

async function startRelay(
  { url, target, instance }: Parameters<Contender["start"]>[0],
  settings: Settings,
): Promise<{ stop(): Promise<void> }> {
  const { config, sink } = await settingsOf(target, settings);
  const mapping: OutboxMapping = settings.cdc ? { ...MAPPING, lifecycle: { kind: "log" } } : MAPPING;
  const accepted = await acceptMapping(url, mapping);
  const stopping = new AbortController();
  const running = runRelay({
    id: `bench-${instance}`,
    version: "bench",
    outbox: OUTBOX,
    store: openPostgresStore({ name: "bench", url, applicationName: "outbox-console bench" }).outbox({
      ...{ name: OUTBOX, mapping, accepted, storeSide: true, maxAttempts: null, estimatedRows: -1 },
    }),
    config,
    sink,
    log: pino({ level: process.env.LOG_LEVEL ?? "warn" }),
    signal: stopping.signal,
  });
  await Promise.race([running, untilOwned(url)]);
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Accepts the table's current mapping, which the relay compares inside every claim and settlement. */
async function acceptMapping(url: string, mapping: OutboxMapping): Promise<MappingFingerprint> {
  const client = new pg.Client(url);
  await client.connect();
  const tables = await readCatalog(client, undefined);
  const table = tables.find(({ name }) => name === mapping.table.name);
  const fingerprint = table ? fingerprintOf(table, mapping) : null;
  if (!fingerprint) throw new Error(`The table ${TABLE} lacks a column of the mapping.`);
  await replaceFingerprint(client, { outbox: OUTBOX, fingerprint, by: "bench" });
  await client.end();
  return fingerprint;
}

/** True once it, or another relay started with it, publishes. */
async function untilOwned(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  const owned =
    "SELECT FROM outbox_console.lease WHERE outbox = $1 AND owner <> '' AND until > clock_timestamp() LIMIT 1";
  while ((await client.query(owned, [OUTBOX])).rowCount === 0) await delay(LOOK_MS);
  await client.end();
}

/** The relay's configuration, with its defaults, and the sink. */
export async function settingsOf(
  target: Target,
  { route: asRows, ...relaySettings }: Settings,
): Promise<{ config: RelayConfig; sink: Sink }> {
  const { sinks, outboxes } = configSchema.parse({
    stores: { default: { kind: "postgres", url: "postgres://unused" } },
    sinks: { bench: sinkSettings(target) },
    outboxes: {
      [OUTBOX]: {
        table: "bench_outbox",
        mode: "relay",
        relay: { ...relaySettings, force: true, sink: "bench", route: { ...asRows, topic: TOPIC } },
      },
    },
  });
  const config = outboxes[OUTBOX]?.relay;
  const settings = sinks.bench;
  if (!config || !settings) throw new Error("The configuration of the benchmark lacks its outbox.");
  if (target.kind === "noop") return { config, sink: NOOP };
  const route = createRouter({ config: config.route, outbox: OUTBOX, sinkKind: settings.kind });
  return { config, sink: await openSink({ config: settings, outbox: OUTBOX, concurrency: config.concurrency, route }) };
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
