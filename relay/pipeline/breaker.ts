import type { Failure } from "#domain/failure.ts";

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;
/** A breaker that opens again so soon goes on with the delay it had. */
const RELAPSE_MS = 5000;
/** Probes that an endpoint answered with an error, after which it may be the messages and not the endpoint. */
const ANSWERED_TO_SAY = 10;

export interface BreakerSnapshot {
  code: string;
  message: string;
  since: string;
  nextProbeAt: string | null;
}

/**
 * Holds everything while the sink cannot be used. One message at a time probes it, each of another aggregate, so that
 * one poisonous message cannot keep the sink closed for all.
 */
export class Breaker {
  #failure: Failure | null = null;
  #since = new Date(0);
  #probeAtMs = 0;
  #delayMs = FIRST_DELAY_MS;
  #closedAtMs = Number.NEGATIVE_INFINITY;
  #probing = false;
  /** Probes in a row that the endpoint itself answered with an error. */
  #answered = 0;
  readonly #probed = new Set<string>();

  get holds(): boolean {
    return this.#failure !== null;
  }
  get probing(): boolean {
    return this.#probing;
  }
  /** Aggregates that have probed since it opened. */
  probed(): string[] {
    return [...this.#probed];
  }
  forgetProbed(): void {
    this.#probed.clear();
  }

  /** True when it was closed before. */
  open(failure: Failure, nowMs: number): boolean {
    if (this.#failure) return false;
    this.#delayMs =
      nowMs - this.#closedAtMs < RELAPSE_MS ? Math.min(this.#delayMs * 2, LONGEST_DELAY_MS) : FIRST_DELAY_MS;
    this.#failure = failure;
    this.#since = new Date();
    this.#schedule(failure, nowMs);
    return true;
  }

  probeInMs(nowMs: number): number {
    return this.#probing ? Number.POSITIVE_INFINITY : this.#probeAtMs - nowMs;
  }

  beginProbe(aggregateKey: string | null): void {
    this.#probing = true;
    if (aggregateKey !== null) this.#probed.add(aggregateKey);
  }

  probeFailed(failure: Failure, nowMs: number): void {
    this.#probing = false;
    this.#failure = failure;
    this.#answered = failure.code === "server_error" ? this.#answered + 1 : 0;
    this.#delayMs = Math.min(this.#delayMs * 2, LONGEST_DELAY_MS);
    this.#schedule(failure, nowMs);
  }

  /** The probe told nothing: it was aborted. */
  probeAborted(): void {
    this.#probing = false;
  }

  close(nowMs: number): void {
    this.#failure = null;
    this.#probing = false;
    this.#answered = 0;
    this.#closedAtMs = nowMs;
    this.#probed.clear();
  }

  snapshot(nowMs: number): BreakerSnapshot | null {
    if (!this.#failure) return null;
    const { code } = this.#failure;
    const message = this.#message(this.#failure);
    const nextProbeAt = this.#probing ? null : new Date(Date.now() + this.#probeAtMs - nowMs).toISOString();
    return { code, message, since: this.#since.toISOString(), nextProbeAt };
  }

  /** An endpoint that fails for everything is an outage, and burns nothing; but someone should look which of the two it is. */
  #message({ message }: Failure): string {
    if (this.#answered < ANSWERED_TO_SAY) return message;
    return `${message}; ${this.#answered} probes in a row ended so, of one aggregate after the other: if the messages are to blame and not the endpoint, dead-letter them`;
  }

  #schedule(failure: Failure, nowMs: number): void {
    this.#probeAtMs = nowMs + Math.max(this.#delayMs, failure.retryAfterMs ?? 0);
  }
}
