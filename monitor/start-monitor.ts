import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { migrateConsoleSide } from "#db/records/migrate.ts";
import type { Records } from "#db/records/records.ts";
import { troubleOf } from "#db/stores/port/store-error.ts";
import { loadConfig } from "#services/config/load-config.ts";
import type { OpenReplaySink } from "#services/operations/bulk/replay/replay-sink.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";
import { AlertDelivery } from "./alert-delivery.ts";
import { Alerter } from "./alerter.ts";
import { Leadership } from "./leadership.ts";
import { log, logTrouble } from "./log.ts";
import { OperationsRunner } from "./operations-runner.ts";
import { OwnRowsCleanup } from "./own-rows-cleanup.ts";
import { repeat } from "./repeat.ts";
import { RetentionRunner } from "./retention-runner.ts";
import { RollUp } from "./roll-up.ts";
import { Sampler } from "./sampler.ts";
import { SizeSampler } from "./size-sampler.ts";
import { Watchdog } from "./watchdog.ts";

const LEASE_MS = 10_000;
const RENEW_MS = 2_500;
const WATCH_EVERY_MS = 5_000;
const ROLL_UP_EVERY_MS = 60_000;
const ALERTS_EVERY_MS = 5_000;
const DELIVER_EVERY_MS = 5_000;
const OPERATIONS_EVERY_MS = 500;
const CLEANUP_EVERY_MS = 600_000;
const RUN_RETENTION_EVERY_MS = 5_000;
const SAMPLE_SIZES_EVERY_MS = 900_000;

export interface MonitorHandle {
  /** True while this instance leads. */
  readonly leads: boolean;
  stop(): Promise<void>;
  /** Sentences: reasons why an exit of this process now would delay other processes. */
  undone(): string[];
}

export interface MonitorOptions {
  /** Default: the monitor opens a runtime from the configuration, and closes it. */
  runtime?: Runtime;
  signal?: AbortSignal;
  /** Opens the sink that re-publishes messages; without it the monitor does not re-publish. */
  openReplaySink?: OpenReplaySink;
  /** For tests. */
  leaseMs?: number;
  renewMs?: number;
}

/**
 * Starts the monitor: samples, findings, bulk operations and retention, on the instance that holds the lease. Never
 * throws afterwards.
 */
export async function startMonitor(options: MonitorOptions = {}): Promise<MonitorHandle> {
  const runtime =
    options.runtime ?? openRuntime({ config: loadConfig(), applicationName: "outbox-console monitor", follow: true });
  const closeRuntime = async () => {
    if (!options.runtime) await runtime.close();
  };
  const { records } = runtime;
  if (!records) {
    log.warn(
      "There is no console database for samples and findings: set console.databaseUrl. Until then pages read their figures on demand.",
    );
    return { leads: false, stop: closeRuntime, undone: () => [] };
  }
  const owner = `${hostname()}:${process.pid}:${randomBytes(3).toString("hex")}`;
  const leadership = new Leadership({
    records,
    owner,
    leaseMs: options.leaseMs ?? LEASE_MS,
    renewMs: options.renewMs ?? RENEW_MS,
    lead: (signal) => lead({ runtime, records, owner, signal, openReplaySink: options.openReplaySink }),
    onError: (error) => mendConsoleSide(runtime, error),
  });
  leadership.start();
  let stopping: Promise<void> | null = null;
  const stop = () => (stopping ??= leadership.stop().finally(closeRuntime));
  options.signal?.addEventListener("abort", () => void stop(), { once: true });
  if (options.signal?.aborted) void stop();
  return {
    get leads() {
      return leadership.leads;
    },
    stop,
    undone: () =>
      leadership.holdsLease ? ["monitor: its lease is not released; another monitor leads when it expires"] : [],
  };
}

/** The leader's work, until the signal aborts. Never rejects. */
async function lead(input: {
  runtime: Runtime;
  records: Records;
  owner: string;
  signal: AbortSignal;
  openReplaySink: OpenReplaySink | undefined;
}): Promise<void> {
  const { runtime, records, owner, signal, openReplaySink } = input;
  const sampler = new Sampler({ runtime, records, signal });
  const watchdog = new Watchdog({ runtime, records, signal });
  const sizes = new SizeSampler({ runtime, records, signal });
  const rollUp = new RollUp({ records });
  const cleanup = new OwnRowsCleanup({ runtime, signal });
  const delivery = new AlertDelivery({ runtime, records, signal });
  const alerter = new Alerter({ runtime, records, signal, onQueued: () => delivery.runSoon() });
  const operations = new OperationsRunner({ runtime, runner: owner, signal, openReplaySink });
  const runner = new RetentionRunner({ runtime, signal });
  const every = (name: string, everyMs: number | (() => number), work: { runOnce(): Promise<void> }) =>
    repeat({ name, everyMs, signal, run: () => work.runOnce(), onError: logTrouble });
  await Promise.all([
    every("sampler", () => sampler.nextMs, sampler),
    every("watchdog", WATCH_EVERY_MS, watchdog),
    every("roll-up", ROLL_UP_EVERY_MS, rollUp),
    every("alerts", ALERTS_EVERY_MS, alerter),
    every("delivery of alerts", DELIVER_EVERY_MS, delivery),
    every("operations", OPERATIONS_EVERY_MS, operations),
    every("clean-up of the console's own rows", CLEANUP_EVERY_MS, cleanup),
    every("size sampler", SAMPLE_SIZES_EVERY_MS, sizes),
    every("retention of the outboxes", RUN_RETENTION_EVERY_MS, runner),
  ]);
  const concurrent = [sampler, watchdog, sizes, alerter, delivery, operations, runner];
  await Promise.all(concurrent.map((part) => part.settle()));
}

/** Creates a missing schema or table, but only in the embedded Postgres or with `autoMigrate`. */
async function mendConsoleSide(runtime: Runtime, error: unknown): Promise<void> {
  logTrouble("monitor's lease", error);
  const missing = troubleOf(error) === "missing";
  const ours = runtime.consoleUrl === process.env.OUTBOX_EMBEDDED_URL || runtime.config.autoMigrate;
  if (!missing || !ours || !runtime.consoleUrl) return;
  await migrateConsoleSide(runtime.consoleUrl).catch((cause: unknown) =>
    logTrouble("migration of the console's own database", cause),
  );
}
