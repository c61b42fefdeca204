import { setTimeout as delay } from "node:timers/promises";
import type { AcquiredLease, Lease } from "#db/stores/port/relay/lease.ts";
import type { RelayHeartbeat } from "#db/stores/port/relay/relay-heartbeat.ts";
import { WAITS_FOR_FOREIGN } from "#domain/relay/foreign-marks.ts";
import { ORDER_DIFFERS } from "#domain/relay/order-differs.ts";
import { ownsAll } from "#domain/relay/partitions.ts";
import { NOTHING_CLAIMED } from "#domain/relay/unwritten-outcomes.ts";
import { DatabaseClock } from "../clock/database-clock.ts";
import { Pipeline } from "../pipeline/pipeline.ts";
import { Isolation } from "../pipeline/state/isolation.ts";
import { RelayMemory } from "../pipeline/state/relay-memory.ts";
import { RelayStats } from "../pipeline/state/relay-stats.ts";
import { storeReason } from "../pipeline/state/store-reason.ts";
import { Waker } from "../pipeline/state/waker.ts";
import { StreamReport } from "../stream/stream-report.ts";
import { composeHeartbeat } from "./compose-heartbeat.ts";
import { ForeignWatch } from "./foreign-watch.ts";
import { Heartbeat } from "./heartbeat.ts";
import { LeaseKeeper } from "./lease-keeper.ts";
import type { OutboxRelayOptions } from "./outbox-relay-options.ts";
import { PartitionShare } from "./partition-share.ts";
import { SlowSettle } from "./slow-settle.ts";
import { TermDuties } from "./term-duties.ts";

const TICK_MS = 1000;
const FOREIGN_TICKS = 15;
/**
 * Marks of the last minute may be our own then. Heartbeats show this too, unless the database's clock was set
 * meanwhile.
 */
const OURS_MS = 120_000;
/** Wait before the next attempt when a term for a rebalance could not be acquired. */
const BETWEEN_TERMS_MS = 100;

const NOT_CLOSED = "a connection of the relay could not be closed";

/** Work that others cannot take before this relay's lease is released or expires. */
export interface UnreleasedWork {
  /** Messages without a written outcome. */
  messages: number;
}

/** The relay of one outbox: waits for its lease, publishes while it holds it, and releases it when it stops. */
export class OutboxRelay {
  readonly #options: OutboxRelayOptions;
  readonly #stats: RelayStats;
  readonly #memory: RelayMemory;
  readonly #share: PartitionShare;
  readonly #heart: Heartbeat;
  readonly #streamReport: StreamReport;
  readonly #beaten = new Waker();
  readonly #clock = new DatabaseClock();
  #foreignWatch: ForeignWatch | undefined;
  readonly #slowSettle: SlowSettle;
  #state: RelayHeartbeat["state"] = "standby";
  #pipeline: Pipeline | undefined;
  #lease: Lease | undefined;
  /** Messages of the last term whose outcome could not be written. */
  #unwritten = 0;
  #foreignCounted = 0;
  #foreignChecked = false;
  /** Its last heartbeat then shows whether the sink could be used: without a relay there is no other source. */
  #stoppedAsOwner = false;

  constructor(options: OutboxRelayOptions) {
    this.#options = options;
    this.#stats = options.stats ?? new RelayStats();
    this.#slowSettle = new SlowSettle(this.#stats);
    this.#streamReport = new StreamReport(options.table.stream);
    this.#memory = new RelayMemory(options.table.compareOrder, options.topicOf);
    this.#share = new PartitionShare({ ...options, shared: options.share ?? false });
    this.#heart = new Heartbeat({
      ...options,
      share: this.#share,
      clock: this.#clock,
      read: () => this.#heartbeat(),
      onBeat: () => this.#beaten.wake(),
    });
  }

  get stats(): RelayStats {
    return this.#stats;
  }
  get state(): RelayHeartbeat["state"] {
    return this.#state;
  }

  get unreleased(): UnreleasedWork | null {
    return this.#lease ? { messages: this.#pipeline?.unwritten ?? this.#unwritten } : null;
  }

  /** Runs until `signal` aborts. Throws errors that it cannot recover from; starting it again loses nothing. */
  async run(signal: AbortSignal): Promise<void> {
    const { table, sink, log, notify } = this.#options;
    let hints: { stop(): Promise<void> } | undefined;
    try {
      await sink.connect();
      // Before the first lease is requested, so that other instances see this one as a member.
      await this.#heart.start();
      if (notify !== undefined) {
        hints = table.listen({
          channel: notify,
          onHint: () => this.#pipeline?.hint(),
          onError: (error) => log.debug({ err: error }, "cannot listen for notifications; polling continues"),
        });
      }
      await this.#terms(signal);
      this.#enter("stopped");
      await this.#heart.sayGoodbye();
    } finally {
      this.#heart.stop();
      const closed = await Promise.allSettled([hints?.stop(), sink.close()]);
      for (const one of closed) if (one.status === "rejected") log.warn({ err: one.reason }, NOT_CLOSED);
    }
  }

  /** Runs one term after the other. A rebalance keeps the lease until its next term replaces it. */
  async #terms(signal: AbortSignal): Promise<void> {
    const { log } = this.#options;
    let wanted: number | null = null;
    while (!signal.aborted) {
      const askedAtMs = performance.now();
      const lease: AcquiredLease | null = await this.#share.acquire(wanted);
      if (!lease) {
        if (wanted === null) {
          await this.#release();
          this.#standBy();
        }
        await sleep(wanted === null ? TICK_MS : BETWEEN_TERMS_MS, signal);
        wanted = null;
        continue;
      }
      const { epoch, partitions, orphaned } = lease;
      const facts = { epoch, partitions: partitions.length, orphaned: orphaned.length };
      log.info(facts, ownsAll(lease) ? "this relay owns the outbox" : "this relay owns a share of the outbox");
      this.#lease = lease;
      wanted = await this.#own(lease, askedAtMs, signal);
    }
    await this.#release();
  }

  #standBy(): void {
    const { table, log } = this.#options;
    const { differsFrom } = this.#share;
    if (differsFrom !== null && this.#state !== "holding") {
      const ordering = table.ordering.kind === "none" ? "none" : "aggregate";
      this.#stats.lastError = `${ORDER_DIFFERS}: this relay has ${ordering}. It waits until ${differsFrom} has stopped.`;
      log.warn({ owner: differsFrom, ordering }, "the relay that owns the outbox has another relay.ordering: holding");
    }
    this.#enter(differsFrom === null ? "standby" : "holding");
  }

  /** Releases the last term's lease, so that others can take its partitions at once. */
  async #release(): Promise<void> {
    if (this.#lease) await this.#options.table.releaseLease(this.#lease);
    this.#lease = undefined;
  }

  /** Runs one term. Returns the number of partitions for the next; null if the lease was lost or released. */
  async #own(lease: AcquiredLease, askedAtMs: number, signal: AbortSignal): Promise<number | null> {
    const { table, sink, settings, log, isolation = new Isolation() } = this.#options;
    const lost = new AbortController();
    const keeper = new LeaseKeeper({
      table,
      lease,
      askedAtMs,
      log,
      events: {
        renewed: () => this.#pipeline?.leaseRenewed(),
        refused: (error) => {
          this.#stats.lastError = `${NOTHING_CLAIMED}${storeReason(error)}`;
        },
        expired: () => this.#pipeline?.abortInFlight(),
        lost: () => lost.abort(),
      },
    });
    const watch = new ForeignWatch({
      ...{ table, lease, log, stats: this.#stats },
      inMemory: (id) => this.#pipeline?.holds(id) ?? false,
      ownsUntilMs: () => keeper.publishUntilMs,
    });
    const own = {
      ...{ stats: this.#stats, memory: this.#memory, clock: this.#clock },
      publishUntilMs: () => keeper.publishUntilMs,
      published: (ids: readonly string[]) => watch.recent.note(ids),
      ...(this.#options.maskError ? { maskError: this.#options.maskError } : {}),
    };
    const end = () => lost.abort();
    const pipeline = new Pipeline({ table, sink, lease, settings, log, isolation, ...own }, end);
    const over = AbortSignal.any([signal, lost.signal]);
    try {
      let most: number | null = null;
      // Orphaned claims show that this program published recently, so no foreign relay is looked for.
      if (lease.orphaned.length === 0) await this.#waitForForeign(over);
      if (!over.aborted) {
        await pipeline.start();
        this.#pipeline = pipeline;
        this.#foreignWatch = watch;
        most = await this.#watch(pipeline, lease, over, end);
      }
      return await this.#leave(pipeline, lease, lost.signal.aborted, most);
    } catch (error) {
      await pipeline.abandon();
      throw error;
    } finally {
      this.#unwritten = pipeline.unwritten;
      this.#pipeline = undefined;
      this.#foreignWatch = undefined;
      keeper.stop();
    }
  }

  async #leave(pipeline: Pipeline, { epoch }: Lease, lost: boolean, most: number | null): Promise<number | null> {
    const { log } = this.#options;
    if (lost) {
      log.warn({ epoch }, "the lease was taken over, or the table was changed: this relay stops publishing");
      this.#foreignChecked = false;
      await pipeline.abandon();
    } else {
      if (most === null) {
        this.#stoppedAsOwner = true;
        this.#enter("stopping");
      }
      await pipeline.stop();
      log.info({ epoch, most }, most === null ? "lease released" : "rebalancing partitions");
      if (most !== null) return most;
    }
    await this.#release();
    return null;
  }

  /**
   * Holds while another relay publishes the table: two relays unaware of each other publish everything twice, in any
   * order.
   */
  async #waitForForeign(over: AbortSignal): Promise<void> {
    const { table, log, force } = this.#options;
    while (!over.aborted && !force && !this.#foreignChecked) {
      const rows = this.#stats.publishedWithin(OURS_MS) ? 0 : await table.foreignPublishes();
      this.#foreignChecked = rows === 0;
      if (rows === 0) return;
      const seen = rows >= 1000 ? "1000 or more" : String(rows);
      this.#stats.lastError = `${WAITS_FOR_FOREIGN} ${seen} messages of this table as published in the last minute: not publishing, as it may be another relay. Stop it, or set relay.force.`;
      if (this.#state !== "holding")
        log.warn({ rows }, "something else marks rows of this table as published: holding");
      this.#enter("holding");
      await sleep(TICK_MS * FOREIGN_TICKS, over);
    }
  }

  /** Runs until the term is over. Returns the number of partitions for the next term; null if there is to be none. */
  async #watch(pipeline: Pipeline, lease: Lease, over: AbortSignal, lost: () => void): Promise<number | null> {
    const { table, log } = this.#options;
    const own = { heart: this.#heart, share: this.#share, streamReport: this.#streamReport };
    const care = new TermDuties({ table, log, lease, pipeline, lost, ...own });
    const wake = () => this.#beaten.wake();
    over.addEventListener("abort", wake);
    try {
      while (!over.aborted) {
        const most = await care.next().catch((error: unknown) => {
          log.debug({ err: error }, "the store side cannot be read; trying again");
          return null;
        });
        if (over.aborted) return null;
        this.#enter(care.paused ? "paused" : pipeline.breaker || pipeline.cutOff ? "holding" : "owner");
        if (most !== null) return most;
        this.#foreignWatch?.tick();
        this.#slowSettle.note(pipeline);
        await this.#beaten.wait(TICK_MS * 2);
      }
      return null;
    } finally {
      over.removeEventListener("abort", wake);
    }
  }

  #enter(state: RelayHeartbeat["state"]): void {
    if (this.#state === state) return;
    if (state === "paused" || this.#state === "paused") this.#options.log.info({ state }, "the relay's state changed");
    this.#state = state;
    if (state !== "stopped") void this.#heart.beat();
  }

  #heartbeat(): RelayHeartbeat {
    this.#logForeign();
    const breaks = this.#lease !== undefined || this.#stoppedAsOwner;
    return composeHeartbeat(this.#options, {
      ...{ state: this.#state, stats: this.#stats, clock: this.#clock, streamReport: this.#streamReport },
      pipeline: this.#pipeline,
      partitions: this.#lease?.partitions.length ?? 0,
      breaker: breaks ? this.#memory.breaker.snapshot(performance.now(), this.#clock) : null,
    });
  }

  #logForeign(): void {
    const messages = this.#stats.foreign - this.#foreignCounted;
    if (messages <= 0) return;
    this.#options.log.warn({ messages }, "another program published or removed claimed messages");
    this.#foreignCounted = this.#stats.foreign;
  }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
