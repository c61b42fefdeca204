import {
  emptyLatencies,
  latencyBucketBoundMs,
  latencyQuantileMs,
  subtractLatencies,
} from "#domain/relay/latency-histogram.ts";

/** A relay's figures about an outbox, from its last heartbeat. */
export interface RelayReading {
  id: string;
  heartbeatAt: string;
  /** Cumulative counts per latency bucket; messages that an operator retried are not among them. */
  latency: readonly number[];
}

/** A live message is slow if it takes this many times the p99 without the operation. */
const SLOWER = 2;
/** Share of live messages that may be slow. */
const SLOW_SHARE = 0.01;
/** Up to this, ms, no message counts as slow. */
const FAST_MS = 8;
/** Items a second to begin with, and at least. */
const FIRST_RATE = 200;
const LEAST_RATE = 50;
/** Growth of the rate at a heartbeat, until one was too fast. */
const FASTER_BY = 1.25;
/**
 * After a rate that was too fast, the next is lower by this share, and rises back to it in this many heartbeats: see
 * `#next`.
 */
const SLOWER_BY = 0.4;
const BACK_AFTER = 10;
/** Share of a rate that must be reached before a higher one is tried. */
const REACHED = 0.6;
/** At this rate and above, the pace is not limited. */
const MOST_RATE = 20_000;
/** Length of a rest, which shows how fast live messages are without the operation: more than two heartbeats. */
const REST_MS = 3600;
/** After this time the relay has published the messages that were in flight when the rest began: see `mostReleased`. */
const SETTLED_MS = 1000;
/**
 * Time between two rests, ms. Live messages that become slow cause a rest at once: the operation may not be the cause.
 */
const REST_EVERY_MS = 60_000;
/** Fewer live messages than this say nothing about live traffic. */
const FEW = 20;
/** Weight of earlier observations in the share of slow messages. */
const KEPT = 0.6;
/**
 * Number of last rests. The quietest gives the speed of live messages without the operation, as disturbances only slow
 * one down.
 */
const RESTS = 5;

/** Too many live messages were slow, and the operation rests to see whether it is to blame. */
interface Suspicion {
  share: number;
  /** Messages that took longer than this were slow, ms. */
  mostMs: number;
  /** Live messages while it rested, and the slow ones of these. */
  calm: number;
  calmSlow: number;
}

/**
 * How fast an operation may go with little effect on live messages. It rests now and then to measure their p99 without
 * it, from the relays' own latencies. While at most 1 % take longer than twice that, it goes faster. As soon as more
 * do, it rests; if live messages are faster then, it continues more slowly, and approaches the rate that was too fast
 * in ever smaller steps. Without live messages it holds nothing back. Times are of one monotonic clock.
 */
export class LivePace {
  readonly #seen = new Map<string, RelayReading>();
  #rate = FIRST_RATE;
  /** The last rate that was too fast, and heartbeats of growth since. */
  #tooFast: { rate: number; beats: number } | null = null;
  /** Latencies of live messages in the last rests, newest last. */
  #rests: number[][] = [];
  /** Recent live messages, those while the operation went on, and the slow ones of these. */
  #live = 0;
  #beside = 0;
  #slow = 0;
  #restsUntilMs = 0;
  #restAtMs = 0;
  #suspicion: Suspicion | null = null;
  #beatMs = Number.NEGATIVE_INFINITY;
  #beats = 0;

  constructor(nowMs: number) {
    this.#rest(nowMs);
  }

  /** Items a second; 0: rest. Null: as fast as it goes. */
  limit(nowMs: number): number | null {
    const resting = nowMs < this.#restsUntilMs;
    if (this.#seen.size === 0 || (this.#beats === 0 ? !resting : !this.#isLive)) return null;
    if (resting) return 0;
    return this.#rate >= MOST_RATE ? null : this.#rate;
  }

  /** Most retried messages that may be on their way: a second's worth, so that the relay rests too. */
  mostReleased(nowMs: number): number {
    return this.limit(nowMs) === null ? Number.POSITIVE_INFINITY : this.#rate;
  }

  /** Sentence for the operation's page; null while nothing is held back. */
  describe(nowMs: number): string | null {
    const limit = this.limit(nowMs);
    if (limit === null) return null;
    const calmMs = this.#calmMs;
    if (limit === 0 || calmMs === null)
      return "Rests for a few seconds, to measure live messages without the operation.";
    return `At most ${Math.round(limit)}/s, so that live messages stay fast: without the operation, 99 % of them take up to ${Math.round(calmMs)} ms.`;
  }

  /** `readings`: of the relays that are alive. `measured`: items a second that the operation did last. */
  observe(readings: readonly RelayReading[], { nowMs, measured }: { nowMs: number; measured: number | null }): void {
    const resting = nowMs <= this.#restsUntilMs;
    if (!resting && nowMs >= this.#restAtMs) this.#rest(nowMs);
    const sinceMs = this.#beatMs;
    const added = this.#added(readings, nowMs);
    if (added === null) return;
    this.#beats += 1;
    const count = total(added);
    this.#live = this.#live * KEPT + count;
    if (resting) {
      if (sinceMs >= this.#restsUntilMs - REST_MS + SETTLED_MS) this.#noteCalm(added);
      return;
    }
    if (this.#suspicion) this.#judge(this.#suspicion);
    this.#beside = this.#beside * KEPT + count;
    this.#slow = this.#slow * KEPT + slowerThan(added, this.#mostMs);
    this.#adapt({ nowMs, measured: measured ?? 0 });
  }

  #rest(nowMs: number): void {
    this.#rests = [...this.#rests.slice(1 - RESTS), emptyLatencies()];
    this.#restsUntilMs = nowMs + REST_MS;
    this.#restAtMs = this.#restsUntilMs + REST_EVERY_MS;
  }

  #noteCalm(added: readonly number[]): void {
    const rest = this.#rests.at(-1);
    for (const [index, count] of added.entries()) if (rest) rest[index] = (rest[index] ?? 0) + count;
    if (!this.#suspicion) return;
    this.#suspicion.calm += total(added);
    this.#suspicion.calmSlow += slowerThan(added, this.#suspicion.mostMs);
  }

  /** If live messages are as slow without the operation, it is not to blame. */
  #judge({ share, calm, calmSlow }: Suspicion): void {
    this.#suspicion = null;
    [this.#beside, this.#slow] = [0, 0];
    if (calm === 0) return;
    if (calmSlow / calm >= share / 2) this.#rests = this.#rests.slice(-1);
    else {
      this.#tooFast = { rate: this.#rate, beats: 0 };
      this.#rate = this.#next(this.#tooFast);
    }
  }

  /**
   * As CUBIC of TCP (RFC 9438): quickly back towards the rate that was too fast, slowly past it, then faster and
   * faster.
   */
  #next({ rate, beats }: { rate: number; beats: number }): number {
    const next = rate * (1 + SLOWER_BY * ((beats - BACK_AFTER) / BACK_AFTER) ** 3);
    return Math.min(MOST_RATE, Math.max(LEAST_RATE, next));
  }

  #faster(): void {
    if (this.#tooFast) this.#tooFast.beats += 1;
    this.#rate = this.#tooFast ? this.#next(this.#tooFast) : Math.min(MOST_RATE, this.#rate * FASTER_BY);
  }

  get #isLive(): boolean {
    return this.#live >= FEW;
  }

  /** What 99 % of live messages took in the quietest rest, ms. */
  get #calmMs(): number | null {
    const all = this.#rests.flatMap((rest) => latencyQuantileMs(rest, 1 - SLOW_SHARE) ?? []);
    return all.length > 0 ? Math.min(...all) : null;
  }

  get #mostMs(): number {
    const calmMs = this.#calmMs;
    return calmMs === null ? Number.POSITIVE_INFINITY : Math.max(FAST_MS, calmMs * SLOWER);
  }

  #adapt({ nowMs, measured }: { nowMs: number; measured: number }): void {
    if (!this.#isLive || this.#beside < FEW) return;
    const share = this.#slow / this.#beside;
    if (share > SLOW_SHARE) {
      this.#suspicion = { share, mostMs: this.#mostMs, calm: 0, calmSlow: 0 };
      this.#rest(nowMs);
      // A rate that is not reached says nothing about a higher one.
    } else if (measured > this.#rate * REACHED) this.#faster();
  }

  /** Latencies since the last heartbeats; null if none has come. */
  #added(readings: readonly RelayReading[], nowMs: number): number[] | null {
    let added: number[] | null = null;
    for (const reading of readings) {
      const before = this.#seen.get(reading.id);
      if (before?.heartbeatAt === reading.heartbeatAt) continue;
      this.#seen.set(reading.id, reading);
      this.#beatMs = nowMs;
      if (!before) continue;
      const more = subtractLatencies(reading.latency, before.latency);
      added = added === null ? more : added.map((count, index) => count + (more[index] ?? 0));
    }
    return added;
  }
}

const total = (buckets: readonly number[]) => buckets.reduce((sum, count) => sum + count, 0);

/** Messages in the buckets whose bound is above `mostMs`. */
function slowerThan(buckets: readonly number[], mostMs: number): number {
  return buckets.reduce((sum, count, index) => (latencyBucketBoundMs(index) > mostMs * 1.001 ? sum + count : sum), 0);
}
