import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Lease, PauseState, RelayHeartbeat, RelayTable } from "#db/outbox/relay-port.ts";
import { LeaseKeeper } from "./lease-keeper.ts";
import { Pipeline } from "./pipeline/pipeline.ts";
import type { PipelineSettings } from "./pipeline/pipeline-context.ts";
import { RelayStats } from "./pipeline/relay-stats.ts";
import type { Sink } from "./sinks/sink.ts";

export interface OutboxRelayOptions {
  /** Names this relay in leases, claims and heartbeats; of one process and one start. */
  id: string;
  version: string;
  table: RelayTable;
  sink: Sink;
  sinkName: string;
  source: string;
  settings: PipelineSettings;
  leaseMs: number;
  /** Publish although someone else seems to publish the same table. */
  force: boolean;
  log: Logger;
}

const TICK_MS = 1000;
const FOREIGN_TICKS = 15;
const STRAY_TICKS = 10;

/** The relay of one outbox: waits for the lease, publishes while it holds it, hands it over when it stops. */
export class OutboxRelay {
  readonly #options: OutboxRelayOptions;
  readonly #stats = new RelayStats();
  #state: RelayHeartbeat["state"] = "standby";
  #pipeline: Pipeline | undefined;
  #lease: Lease | undefined;
  #beating = false;
  #foreignCounted = 0;

  constructor(options: OutboxRelayOptions) {
    this.#options = options;
  }

  get stats(): RelayStats {
    return this.#stats;
  }
  get state(): RelayHeartbeat["state"] {
    return this.#state;
  }

  /** Runs until `signal` is aborted. Throws what the relay cannot work around; nothing is lost by starting it again. */
  async run(signal: AbortSignal): Promise<void> {
    const { table, sink, leaseMs, id, log } = this.#options;
    await sink.connect();
    const heart = setInterval(() => void this.#beat(), TICK_MS);
    try {
      while (!signal.aborted) {
        this.#enter("standby");
        const askedAtMs = performance.now();
        const lease = await table.acquireLease({ owner: id, leaseMs });
        if (!lease) {
          await sleep(TICK_MS, signal);
          continue;
        }
        log.info({ epoch: lease.epoch, orphaned: lease.orphaned.length }, "this relay owns the outbox");
        await this.#own(lease, askedAtMs, signal);
      }
      this.#enter("stopped");
      await table.writeHeartbeat(this.#heartbeat());
    } finally {
      clearInterval(heart);
      await sink.close();
    }
  }

  async #own(lease: Lease, askedAtMs: number, signal: AbortSignal): Promise<void> {
    const { table, sink, settings, log } = this.#options;
    this.#lease = lease;
    const lost = new AbortController();
    const keeper = new LeaseKeeper({
      table,
      lease,
      askedAtMs,
      log,
      events: {
        renewed: () => this.#pipeline?.leaseRenewed(),
        expired: () => this.#pipeline?.abortInFlight(),
        lost: () => lost.abort(),
      },
    });
    const pipeline = new Pipeline(
      { table, sink, lease, settings, stats: this.#stats, log, publishUntilMs: () => keeper.publishUntilMs },
      () => lost.abort(),
    );
    const over = AbortSignal.any([signal, lost.signal]);
    try {
      if (!this.#options.force) await this.#waitForForeign(over);
      if (!over.aborted) {
        await pipeline.start();
        this.#pipeline = pipeline;
        await this.#watch(pipeline, lease, over);
      }
      await this.#leave(pipeline, lease, lost.signal.aborted);
    } catch (error) {
      await pipeline.abandon();
      throw error;
    } finally {
      this.#pipeline = undefined;
      this.#lease = undefined;
      keeper.stop();
    }
  }

  async #leave(pipeline: Pipeline, lease: Lease, lost: boolean): Promise<void> {
    const { table, log } = this.#options;
    if (lost) {
      log.warn({ epoch: lease.epoch }, "the lease was taken over: this relay stops publishing");
      await pipeline.abandon();
      return;
    }
    this.#enter("stopping");
    await pipeline.stop();
    await table.releaseLease(lease);
    log.info({ epoch: lease.epoch }, "the lease was handed over");
  }

  /** Two relays that do not know of each other publish everything twice and in any order. */
  async #waitForForeign(over: AbortSignal): Promise<void> {
    const { table, log } = this.#options;
    while (!over.aborted) {
      const rows = await table.foreignPublishes();
      if (rows === 0) return;
      const seen = rows >= 1000 ? "1000 or more" : String(rows);
      this.#stats.lastError = `Another relay published ${seen} messages of this table in the last minute: not publishing. Stop it, or set relay.force.`;
      if (this.#state !== "holding") log.warn({ rows }, "another relay publishes this table: holding");
      this.#enter("holding");
      await sleep(TICK_MS * FOREIGN_TICKS, over);
    }
  }

  /** Once a second: is it paused, what waits for a retry, are there claims that nobody knows of. */
  async #watch(pipeline: Pipeline, lease: Lease, over: AbortSignal): Promise<void> {
    const { table, log } = this.#options;
    for (let tick = 1; !over.aborted; tick += 1) {
      try {
        const pause = await table.readPause();
        if (over.aborted) return;
        this.#obey(pipeline, pause);
        await pipeline.refreshRetries();
        if (tick % STRAY_TICKS === 0) await table.endStrayClaims({ lease, knownTokens: pipeline.knownTokens });
      } catch (error) {
        log.debug({ err: error }, "the store side cannot be read; trying again");
      }
      await sleep(TICK_MS, over);
    }
  }

  #obey(pipeline: Pipeline, pause: PauseState | null): void {
    if (pause) {
      pipeline.pause();
      this.#enter("paused");
      return;
    }
    pipeline.resume();
    this.#enter(pipeline.breaker ? "holding" : "owner");
  }

  #enter(state: RelayHeartbeat["state"]): void {
    if (this.#state === state) return;
    if (state === "paused" || this.#state === "paused") this.#options.log.info({ state }, "the relay's state changed");
    this.#state = state;
    if (state !== "stopped") void this.#beat();
  }

  async #beat(): Promise<void> {
    if (this.#beating) return;
    this.#beating = true;
    try {
      await this.#options.table.writeHeartbeat(this.#heartbeat());
    } catch (error) {
      this.#options.log.debug({ err: error }, "the heartbeat could not be written");
    } finally {
      this.#beating = false;
    }
  }

  #heartbeat(): RelayHeartbeat {
    const { id, version, source, sink, sinkName } = this.#options;
    const stats = this.#stats;
    if (stats.foreign > this.#foreignCounted) {
      this.#options.log.warn(
        { messages: stats.foreign - this.#foreignCounted },
        "someone else settled claimed messages",
      );
      this.#foreignCounted = stats.foreign;
    }
    return {
      id,
      host: hostname(),
      pid: process.pid,
      version,
      state: this.#state,
      source,
      sink: { name: sinkName, ...sink.describe() },
      published: stats.published,
      failures: stats.failures,
      inFlight: this.#pipeline?.inFlight ?? 0,
      lastPublishedAt: stats.lastPublishedAt,
      lastError: stats.lastError,
      breaker: this.#pipeline?.breaker ?? null,
      lateCommits: stats.lateCommits,
      partitions: this.#lease?.partitions.length ?? 0,
      latency: stats.latency,
    };
  }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
