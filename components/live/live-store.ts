import { isOfOneRequest, isOfOneStore } from "#components/api/outage.ts";

/** Freshness of the page's data; written by the query cache, read by the indicator. */
export interface LiveFacts {
  /** Server instant of the newest figures on the page (ISO), undefined before the first answer. */
  asOf: string | undefined;
  lastSuccessMs: number | undefined;
  /** Why a part of the page gets no answer at present. */
  failure: string | undefined;
  /** The server answers, and so do other databases than the one that `failure` is about. */
  inPart: boolean;
  /** Some of what has no answer is not a matter of its own request: what is asked now may get none either. */
  silent: boolean;
}

const OFFSET_SAMPLES = 30;
/** Wall clock and running time differ by more than this only where the clock was set, or the computer slept, ms. */
const CLOCK_SET_MS = 1_000;

interface OffsetSample {
  offsetMs: number;
  /** The browser's clock without the time that has run. */
  clockMs: number;
}

/** Tracks freshness and the server's clock; a snapshot may be up to 2 s old, so the freshest sample wins. */
export class LiveStore {
  #facts: LiveFacts = { asOf: undefined, lastSuccessMs: undefined, failure: undefined, inPart: false, silent: false };
  #othersAnswer = false;
  #offsets: readonly OffsetSample[] = [];
  readonly #failures = new Map<string, { error: Error; outage: boolean }>();
  readonly #listeners = new Set<() => void>();

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  read = (): LiveFacts => this.#facts;

  /** Returns whether this request was unanswered before. */
  noteSuccess(query: string, asOf: string | undefined, nowMs: number): boolean {
    const atMs = asOf === undefined ? Number.NaN : Date.parse(asOf);
    if (!Number.isNaN(atMs)) this.#noteOffset(atMs - nowMs, nowMs - performance.now());
    const recovered = this.#failures.delete(query);
    const { failure } = this.#trouble();
    // While a part is unanswered, the page is as old as that part, even if other requests are answered.
    const kept = Number.isNaN(atMs) || failure !== undefined || isOlder(asOf, this.#facts.asOf);
    this.#update({ asOf: kept ? this.#facts.asOf : asOf, lastSuccessMs: nowMs, ...this.#trouble() });
    return recovered;
  }

  /**
   * Failures are kept per query until it is answered, through every retry: an answered chart must not hide an
   * unanswered snapshot. Refusals are kept too, but only an outage affects freshness.
   */
  noteFailure(query: string, error: Error, outage: boolean): void {
    this.#failures.set(query, { error, outage });
    this.#update({ ...this.#facts, ...this.#trouble() });
  }

  /** What the newest list says: some outboxes could be read while others could not. */
  noteReadInPart(inPart: boolean): void {
    this.#othersAnswer = inPart;
    this.#update({ ...this.#facts, ...this.#trouble() });
  }

  /** Why this request has no answer, or none newer than the page's data. */
  failureOf(query: string): Error | undefined {
    return this.#failures.get(query)?.error;
  }

  /** Whether the page is old because of this request. */
  isOutage(query: string): boolean {
    return this.#failures.get(query)?.outage === true;
  }

  /** The page no longer makes this request. */
  forget(query: string): void {
    if (this.#failures.delete(query)) this.#update({ ...this.#facts, ...this.#trouble() });
  }

  /** Server time in ms for a browser time: browser clocks are wrong more often than database clocks. */
  serverTime(nowMs: number): number {
    return this.#offsets.length === 0 ? nowMs : nowMs + Math.max(...this.#offsets.map(({ offsetMs }) => offsetMs));
  }

  /** A clock that was corrected makes every earlier comparison with the server's wrong by as much. */
  #noteOffset(offsetMs: number, clockMs: number): void {
    const valid = this.#offsets.filter((other) => Math.abs(other.clockMs - clockMs) < CLOCK_SET_MS);
    this.#offsets = [...valid.slice(1 - OFFSET_SAMPLES), { offsetMs, clockMs }];
  }

  #trouble(): Pick<LiveFacts, "failure" | "inPart" | "silent"> {
    const outages = [...this.#failures.values()].flatMap(({ error, outage }) => (outage ? [error] : []));
    return {
      failure: outages[0]?.message,
      inPart: outages.length > 0 && this.#othersAnswer && outages.every(isOfOneStore),
      silent: !outages.every(isOfOneRequest),
    };
  }

  #update(facts: LiveFacts): void {
    this.#facts = facts;
    for (const listener of this.#listeners) listener();
  }
}

function isOlder(candidate: string | undefined, current: string | undefined): boolean {
  return current !== undefined && candidate !== undefined && Date.parse(candidate) < Date.parse(current);
}
