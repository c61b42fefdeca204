import type { Logger } from "pino";
import type { OutboxStore } from "#db/stores/port/store.ts";
import { cdcNames } from "#services/config/cdc-names.ts";
import type { RelayConfig } from "#services/config/relay-schema.ts";
import { OutboxRelay, type UnreleasedWork } from "./instance/outbox-relay.ts";
import type { OutboxRelayOptions } from "./instance/outbox-relay-options.ts";
import type { Isolation } from "./pipeline/state/isolation.ts";
import type { RelayStats } from "./pipeline/state/relay-stats.ts";
import type { Sink } from "./sinks/sink.ts";

export interface LeaseHolder {
  readonly unreleased: UnreleasedWork | null;
}

export interface RunRelayInput {
  /** Names this relay in leases, claims and heartbeats. */
  id: string;
  version: string;
  outbox: string;
  /** Opened with the accepted mapping. The relay ends with a TableChangedError when the table no longer fits it. */
  store: Pick<OutboxStore, "openRelay">;
  config: RelayConfig;
  sink: Sink;
  topicOf?: OutboxRelayOptions["topicOf"];
  maskError?: OutboxRelayOptions["maskError"];
  isolation?: Isolation;
  /** Statistics of earlier runs with this id, so that their published rows are not attributed to another relay. */
  stats?: RelayStats;
  /** Called before the relay starts. */
  onStart?: (relay: LeaseHolder) => void;
  log: Logger;
  /** Stops the relay cleanly. */
  signal: AbortSignal;
}

/** Runs the relay of one outbox until the signal aborts. Throws errors that it cannot recover from. */
export async function runRelay(input: RunRelayInput): Promise<void> {
  const { id, version, outbox, config, sink, isolation, log, signal } = input;
  const table = input.store.openRelay({
    ordering: config.ordering,
    maxAttempts: config.maxAttempts,
    onDead: config.onDead,
    relayId: id,
    sinkName: config.sink,
    fields: config.route.fields,
    ...(config.source === "cdc" ? { stream: cdcNames(outbox, config.cdc) } : {}),
  });
  try {
    const relay = new OutboxRelay({
      id,
      version,
      table,
      sink,
      sinkName: config.sink,
      source: config.source,
      settings: {
        batchSize: config.batchSize,
        concurrency: config.concurrency,
        onFailure: config.onFailure,
        onDead: config.onDead,
        retry: { initialMs: config.retry.initial, maxMs: config.retry.max },
      },
      leaseMs: config.lease,
      share: config.source === "polling",
      ...(config.notify === undefined ? {} : { notify: config.notify }),
      ...(isolation ? { isolation } : {}),
      ...(input.stats ? { stats: input.stats } : {}),
      ...(input.maskError ? { maskError: input.maskError } : {}),
      ...(input.topicOf ? { topicOf: input.topicOf } : {}),
      force: config.force,
      log,
    });
    input.onStart?.(relay);
    await relay.run(signal);
  } finally {
    await table.close();
  }
}
