import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { troubleOf } from "#db/stores/port/store-error.ts";
import { TableChangedError } from "#db/stores/port/table-changed-error.ts";
import { AppError, messageOf } from "#domain/errors.ts";
import { formatPlural } from "#domain/format.ts";
import type { Config } from "#services/config/config-schema.ts";
import type { RelayConfig } from "#services/config/relay-schema.ts";
import type { SinkConfig } from "#services/config/sinks/sink-schema.ts";
import { createErrorMask } from "#services/masking/error-mask.ts";
import { missingRouteFields } from "#services/outboxes/missing-route-fields.ts";
import { maskerFor, outboxOf } from "#services/outboxes/outbox-of.ts";
import { whyNoOwnTables } from "#services/outboxes/own-tables.ts";
import type { OutboxHandle, Runtime } from "#services/runtime.ts";
import { acceptFirstMapping } from "#services/stores/accept-first-mapping.ts";
import { guardOperated } from "./guard-operated.ts";
import type { UnreleasedWork } from "./instance/outbox-relay.ts";
import type { SendMetrics } from "./metrics/send-metrics.ts";
import { Isolation } from "./pipeline/state/isolation.ts";
import { RelayStats } from "./pipeline/state/relay-stats.ts";
import { relayLog } from "./relay-log.ts";
import { createRouter } from "./routing/create-router.ts";
import { createTopicOf } from "./routing/topic-of.ts";
import { type LeaseHolder, runRelay } from "./run-relay.ts";
import { openSink } from "./sinks/open-sink.ts";
import { openTracing, type Tracing } from "./tracing/open-tracing.ts";
import { TRACE_FIELD } from "./tracing/trace-field.ts";

export interface StartedRelays {
  /** Stops every relay and releases its lease; resolves when all have ended. */
  stop(): Promise<void>;
  /** One sentence per outbox: work that other processes must wait for or repeat if this process exited now. */
  undone(): string[];
}

const FIRST_RESTART_MS = 500;
const LONGEST_RESTART_MS = 15_000;
/** A relay that ran for longer than this restarts with the shortest delay again. */
const WELL_MS = 60_000;

/**
 * Starts one relay for every outbox with `mode: relay`. Each is supervised separately: one that fails, or whose
 * database is unreachable, is restarted and stops no other.
 */
export async function startRelays(input: {
  runtime: Runtime;
  signal: AbortSignal;
  log?: Logger;
  /** Counts sent messages. */
  metrics?: SendMetrics;
}): Promise<StartedRelays> {
  const { runtime, signal } = input;
  const log = input.log ?? relayLog();
  const stopping = new AbortController();
  const over = AbortSignal.any([signal, stopping.signal]);
  const isolation = new Isolation();
  const tracing = await openTracing(process.env, log);
  const holders = new Map<string, LeaseHolder>();
  const supervised = Object.entries(runtime.config.outboxes)
    .filter(([, outbox]) => outbox.mode === "relay")
    .map(([name]) => {
      const onStart = (relay: LeaseHolder) => void holders.set(name, relay);
      const kept = { id: relayId(), stats: new RelayStats() };
      const shared = { over, isolation, tracing, metrics: input.metrics };
      return supervise({ runtime, name, ...kept, ...shared, onStart, log: log.child({ outbox: name }) });
    });
  guardOperated(runtime, log).catch((error: unknown) => {
    log.debug({ err: error }, "outboxes without a relay could not be checked");
  });
  if (supervised.length === 0) log.info("no outbox has mode relay: nothing is published");
  return {
    async stop() {
      stopping.abort();
      await Promise.all(supervised);
      await tracing?.stop();
    },
    undone: () =>
      [...holders].flatMap(([name, { unreleased }]) =>
        unreleased ? describeUnreleased(name, unreleased, runtime.config) : [],
      ),
  };
}

function describeUnreleased(name: string, { messages }: UnreleasedWork, config: Config): string {
  const seconds = (config.outboxes[name]?.relay?.lease ?? 0) / 1000;
  const claimed =
    messages === 0 ? "" : `, with ${formatPlural(messages, "claimed message")}, which may be delivered again`;
  return `outbox ${name}: its lease is not released${claimed}; others can take it when it expires, within ${seconds} s`;
}

const RESTARTS = "the relay stopped; restarting it";

interface Supervised {
  runtime: Runtime;
  name: string;
  /** Kept across restarts, so that the relay takes its own lease back at once. */
  id: string;
  over: AbortSignal;
  isolation: Isolation;
  tracing: Tracing | null;
  metrics: SendMetrics | undefined;
  /** Kept too, so that a relay does not attribute its own earlier rows to another relay. */
  stats: RelayStats;
  onStart: (relay: LeaseHolder) => void;
  log: Logger;
}

async function supervise(input: Supervised): Promise<void> {
  let restartMs = FIRST_RESTART_MS;
  let lastMessage = "";
  let relay: LeaseHolder | undefined;
  const onStart = (started: LeaseHolder) => {
    relay = started;
    input.onStart(started);
  };
  while (!input.over.aborted) {
    const startedMs = performance.now();
    try {
      await runOnce({ ...input, onStart });
    } catch (error) {
      if (input.over.aborted) {
        const left = relay?.unreleased;
        const why = left ? `; ${describeUnreleased(input.name, left, input.runtime.config)}` : "";
        input.log.warn({ err: error }, `the relay could not stop cleanly${why}`);
        return;
      }
      if (performance.now() - startedMs > WELL_MS) {
        restartMs = FIRST_RESTART_MS;
        lastMessage = "";
      }
      lastMessage = noteFailedRun(input, error, { restartMs, lastMessage });
      await delay(restartMs, undefined, { signal: input.over }).catch(() => undefined);
      restartMs = Math.min(restartMs * 2, LONGEST_RESTART_MS);
    }
  }
}

/** Logs why a relay ended: as an error, or at debug level if the reason is the same as before. Returns the reason. */
function noteFailedRun(
  { runtime, log }: Supervised,
  error: unknown,
  { restartMs, lastMessage }: { restartMs: number; lastMessage: string },
): string {
  if (error instanceof TableChangedError) runtime.reread();
  const message = messageOf(error);
  const level = message === lastMessage ? "debug" : "error";
  log[level]({ err: error, restartMs }, troubleOf(error) === "refused" ? `${RESTARTS}. ${message}` : RESTARTS);
  return message;
}

function relayId(): string {
  return `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
}

async function runOnce({
  runtime,
  name,
  id,
  over,
  isolation,
  tracing,
  metrics,
  stats,
  onStart,
  log,
}: Supervised): Promise<void> {
  const handle = await runtime.outbox(name);
  const { relay, sink } = settingsOf(runtime, handle);
  if (!handle.storeSide) {
    throw new AppError("unavailable", whyNoOwnTables(handle, `the database of outbox ${name}`));
  }
  const accepted = await acceptFirstMapping(runtime, handle, `relay ${id}`);
  const [missing] = missingRouteFields(handle);
  if (missing !== undefined) throw new AppError("invalid_input", missing);
  const route = createRouter({ config: relay.route, outbox: name, sinkKind: sink.kind });
  const maskError = await createErrorMask(() => maskerFor({ config: handle.config, masking: runtime.config.masking }));
  const opened = await openSink({ config: sink, outbox: name, concurrency: relay.concurrency, route });
  const topicOf = createTopicOf(route, sink.kind);
  const { messages, slow: slowMs } = runtime.config.tracing;
  const options = { outbox: name, sinkName: relay.sink, topicOf, messages, slowMs, log };
  const traced = tracing ? tracing.traced(opened, options) : opened;
  const column = tracing && handle.mapping.columns.traceId?.name;
  await runRelay({
    id,
    version: runtime.version,
    outbox: name,
    store: outboxOf({ ...handle, accepted }),
    config: column ? withField(relay, TRACE_FIELD, column) : relay,
    sink: metrics ? metrics.measured(traced, options) : traced,
    topicOf,
    maskError,
    isolation,
    stats,
    onStart,
    log,
    signal: over,
  });
}

/** Reads a further column of each message. */
function withField(relay: RelayConfig, field: string, column: string): RelayConfig {
  return { ...relay, route: { ...relay.route, fields: { ...relay.route.fields, [field]: column } } };
}

function settingsOf(runtime: Runtime, handle: OutboxHandle): { relay: RelayConfig; sink: SinkConfig } {
  const { relay } = handle.config;
  const sink = relay && runtime.config.sinks[relay.sink];
  if (!relay || !sink) throw new AppError("invalid_input", `The outbox ${handle.name} has no sink.`);
  return { relay, sink };
}
