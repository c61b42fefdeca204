import { pino } from "pino";
import { createRelayTable } from "#db/outbox/postgres/relay-table.ts";
import { OutboxRelay } from "#relay/outbox-relay.ts";
import { createHttpSink } from "#relay/sinks/http/http-sink.ts";
import type { Sink } from "#relay/sinks/sink.ts";
import type { Contender } from "./contender.ts";
import { MAPPING } from "./outbox-table.ts";

/** The defaults of relay.batchSize, relay.concurrency and relay.lease. */
const BATCH = 1000;
const CONCURRENCY = 64;
const LEASE_MS = 6000;

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

/** The relay as it runs in production: lease, claims, order per aggregate, heartbeats. */
export const relayContender: Contender = {
  name: "outbox console relay",
  async start({ url, sinkUrl }) {
    const table = createRelayTable({
      outbox: "bench",
      mapping: MAPPING,
      url,
      ordering: "aggregate",
      maxAttempts: 10,
      relayId: "bench",
      sinkName: "bench",
    });
    const sink = sinkUrl
      ? createHttpSink({
          url: sinkUrl,
          headers: {},
          timeoutMs: 10_000,
          connectTimeoutMs: 3000,
          concurrency: CONCURRENCY,
        })
      : NOOP;
    const relay = new OutboxRelay({
      id: "bench",
      version: "bench",
      table,
      sink,
      sinkName: "bench",
      source: "polling",
      settings: {
        batchSize: BATCH,
        concurrency: CONCURRENCY,
        onFailure: "block",
        retry: { initialMs: 1000, maxMs: 600_000 },
      },
      leaseMs: LEASE_MS,
      force: true,
      log: pino({ level: process.env.LOG_LEVEL ?? "warn" }),
    });
    const stopping = new AbortController();
    const running = relay.run(stopping.signal);
    return {
      async stop() {
        stopping.abort();
        await running;
        await table.close();
      },
    };
  },
};
