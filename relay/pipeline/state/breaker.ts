import type { Failure } from "#domain/failure.ts";
import { formatPlural } from "#domain/format.ts";
import { type DatabaseClock, Moment } from "#relay/clock/database-clock.ts";
import { idOfLane } from "./lanes/lane-name.ts";

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;
/** A breaker that reopens within this time continues the previous outage and its delay. */
const RELAPSE_MS = 5000;
/** Of one fault: a receiver that is restarted is unreachable, answers 503 and is slow by turns. */
const NOT_UP: ReadonlySet<string> = new Set(["unreachable", "unavailable", "timeout", "server_error"]);
/** Longest error text before a note is appended: a diagnosis cuts longer texts, and the note must stay readable. */
const LONGEST_BEFORE_NOTE = 70;
/** Failures whose texts are compared. */
const KEPT_FAILURES = 30;
/** After this many probes answered with an error, the messages may be at fault and not the endpoint. */
const ANSWERED_TO_SAY = 10;

export interface BreakerSnapshot {
  code: string;
  message: string;
  since: string;
  nextProbeAt: string | null;
}

/** Aggregates and event types that have failed or probed since a breaker opened. */
interface Probed {
  aggregates: Set<string>;
  eventTypes: Set<string>;
}

/**
 * Holds everything while the sink, or one route through it, cannot be used. One message at a time probes it, each of
 * another aggregate, so that one poisonous message cannot keep the breaker open for all.
 */
export class Breaker {
  #failure: Failure | null = null;
  readonly #texts = new TextOfFailures();
  #since = new Moment(0);
  #probeAtMs = 0;
  #delayMs = FIRST_DELAY_MS;
  #closedAtMs = Number.NEGATIVE_INFINITY;
  /** Fault of the last outage. */
  #closedOf = "";
  #probing = false;
  /** Probes in a row that the endpoint itself answered with an error, and their aggregates. */
  #answered = 0;
  readonly #answeredOf = new Set<string>();
  /** Aggregate of the last probe; null for a message without one. */
  #probeOf: string | null = null;
  readonly #probed: Probed = { aggregates: new Set(), eventTypes: new Set() };
  /** Number of times that it worked and failed again within RELAPSE_MS during the current outage. */
  #relapses = 0;
  readonly #random: () => number;

  /**
   * `random`: between 0 and 1. Spreads probes: one that recurs regularly could miss every moment at which a sink works.
   */
  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  get isOpen(): boolean {
    return this.#failure !== null;
  }
  /** Of its last failure; null while it is closed. */
  get code(): string | null {
    return this.#failure?.code ?? null;
  }
  get probing(): boolean {
    return this.#probing;
  }
  /** First failure of the current outage, or of the last one. */
  get since(): Moment {
    return this.#since;
  }
  /** Aggregates that have failed or probed since it opened. */
  probed(): string[] {
    return [...this.#probed.aggregates];
  }
  /** Event types that have failed or probed since it opened. */
  probedTypes(): string[] {
    return [...this.#probed.eventTypes];
  }
  forgetProbed(): void {
    this.#probed.aggregates.clear();
    this.#probed.eventTypes.clear();
  }
  forgetProbedTypes(): void {
    this.#probed.eventTypes.clear();
  }

  /** Probes in a row that were answered with an error: their messages may be at fault. */
  get answered(): number {
    return this.#answered;
  }

  /**
   * `sinceMs`: the first failure of the outage; a relapse continues the previous outage, unless the fault is another
   * one. True if the breaker was closed.
   */
  open(failure: Failure, nowMs: number, sinceMs = nowMs): boolean {
    if (this.#failure) return false;
    const soon = this.mayRelapse(nowMs);
    const relapse = soon && faultOf(failure) === this.#closedOf;
    this.#delayMs = soon ? this.#delayOfRelapse(failure) : FIRST_DELAY_MS;
    this.#relapses = relapse ? this.#relapses + 1 : 0;
    if (!relapse) this.#since = new Moment(sinceMs);
    this.#failure = failure;
    this.#texts.begin(failure);
    this.#schedule(failure, nowMs);
    return true;
  }

  /** A receiver that throttles has accepted messages in between, so it is probed sooner than others. */
  #delayOfRelapse({ code }: Failure): number {
    if (code === "throttled") return Math.max(this.#delayMs / 2, FIRST_DELAY_MS);
    return Math.min(this.#delayMs * 2, LONGEST_DELAY_MS);
  }

  /** True if opening now would continue the last outage. */
  mayRelapse(nowMs: number): boolean {
    return nowMs - this.#closedAtMs < RELAPSE_MS;
  }

  /** Event types of the failures that opened it; another type probes first. */
  noteTypes(eventTypes: Iterable<string | null>): void {
    for (const type of eventTypes) if (type !== null) this.#probed.eventTypes.add(type);
  }

  /** Aggregates of the failures that opened it; others probe first. */
  noteAggregates(names: Iterable<string>): void {
    for (const name of names) this.#probed.aggregates.add(name);
  }

  probeInMs(nowMs: number): number {
    return this.#probing ? Number.POSITIVE_INFINITY : this.#probeAtMs - nowMs;
  }

  /** `lane`: its name, as by `laneNameOf`. */
  beginProbe(lane: string | null, eventType: string | null = null): void {
    this.#probing = true;
    this.#probeOf = lane === null || idOfLane(lane) !== null ? null : lane;
    if (lane !== null) this.#probed.aggregates.add(lane);
    if (eventType !== null) this.#probed.eventTypes.add(eventType);
  }

  probeFailed(failure: Failure, nowMs: number): void {
    this.#probing = false;
    this.#failure = failure;
    this.#texts.note(failure);
    this.#noteAnswer(failure);
    this.#delayMs = Math.min(this.#delayMs * 2, LONGEST_DELAY_MS);
    this.#schedule(failure, nowMs);
  }

  #noteAnswer({ code }: Failure): void {
    if (code !== "server_error") {
      this.#forgetAnswers();
      return;
    }
    this.#answered += 1;
    if (this.#probeOf !== null) this.#answeredOf.add(this.#probeOf);
  }

  #forgetAnswers(): void {
    this.#answered = 0;
    this.#answeredOf.clear();
  }

  /** Nothing can probe now: the next try is after the current delay. */
  probeLater(nowMs: number): void {
    this.#probeAtMs = nowMs + this.#spread();
  }

  /** The next try is at this time. */
  probeAt(atMs: number): void {
    this.#probeAtMs = atMs;
  }

  /**
   * Makes the next probe due now, overriding the receiver's Retry-After. If it fails, delays start from the first
   * again.
   */
  probeNow(nowMs: number): void {
    this.#probeAtMs = Math.min(this.#probeAtMs, nowMs);
    this.#delayMs = FIRST_DELAY_MS;
  }

  /** The probe was aborted and has no result. */
  probeAborted(): void {
    this.#probing = false;
  }

  close(nowMs: number): void {
    if (this.#failure) this.#closedOf = faultOf(this.#failure);
    this.#failure = null;
    this.#probing = false;
    this.#forgetAnswers();
    this.#closedAtMs = nowMs;
    this.forgetProbed();
  }

  /** Instants are of the database's clock. */
  snapshot(nowMs: number, clock: DatabaseClock): BreakerSnapshot | null {
    if (!this.#failure) return null;
    const { code } = this.#failure;
    const message = this.#message();
    const nextProbeAt = this.#probing ? null : clock.at(Math.max(this.#probeAtMs, nowMs)).toISOString();
    return { code, message, since: this.#since.at(clock).toISOString(), nextProbeAt };
  }

  /** Adds notes that help a person to find the cause. */
  #message(): string {
    const message = this.#texts.shown;
    const notes = [this.#relapseNote(), this.#answeredNote()].filter((note) => note !== "");
    if (notes.length === 0) return message;
    const start =
      message.length > LONGEST_BEFORE_NOTE ? `${message.slice(0, LONGEST_BEFORE_NOTE)} …` : message.replace(/\.$/, "");
    return [start, ...notes].join("; ");
  }

  /** Names the moments at which the sink worked, because the outage counts from its first failure. */
  #relapseNote(): string {
    if (this.#relapses === 0) return "";
    return `it worked briefly ${this.#relapses === 1 ? "once" : `${this.#relapses} times`} in between`;
  }

  #answeredNote(): string {
    if (this.#answered < ANSWERED_TO_SAY) return "";
    const { size } = this.#answeredOf;
    const of = size > 0 ? ` of ${formatPlural(size, "aggregate")}` : "";
    return `so did the last ${this.#answered} probes${of}`;
  }

  #schedule(failure: Failure, nowMs: number): void {
    this.#probeAtMs = nowMs + Math.max(this.#spread(), failure.retryAfterMs ?? 0);
  }

  /** The first probe is prompt; later ones come after half of the delay to all of it. */
  #spread(): number {
    return this.#delayMs > FIRST_DELAY_MS ? this.#delayMs * (1 - this.#random() / 2) : this.#delayMs;
  }
}

function faultOf({ code }: Failure): string {
  return NOT_UP.has(code) ? "not up" : code;
}

/**
 * The text of an outage's failures. Where each probe of another type or topic fails with its own name, the texts
 * alternate: one that has returned then stays, so that a sentence does not change with each probe. A new text is shown
 * at once.
 */
class TextOfFailures {
  shown = "";
  #last: Failure[] = [];

  begin(failure: Failure): void {
    this.#last = [failure];
    this.shown = failure.message;
  }

  note(failure: Failure): void {
    const earlier = this.#last.filter(({ code }) => code === failure.code).map(({ message }) => message);
    this.#last = [...this.#last, failure].slice(-KEPT_FAILURES);
    const isNew = !earlier.includes(failure.message);
    if (isNew || !this.#alternates(earlier)) this.shown = failure.message;
  }

  /** True if the shown text was there twice, and the last time no longer ago than others have taken their turns. */
  #alternates(texts: readonly string[]): boolean {
    const last = texts.lastIndexOf(this.shown);
    const turns = new Set(texts).size;
    return texts.indexOf(this.shown) < last && texts.length - last <= turns;
  }
}
