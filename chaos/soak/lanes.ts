import type { Place } from "./soak-message.ts";

/** Pause before a message is tried again, ms. */
const RETRY_MS = 100;

/**
 * The lanes of one candidate. In each, messages fall due at a steady rate, one run of them is in flight, and the next
 * message follows once the previous one is confirmed.
 */
export class Lanes {
  /** Time of each confirmation, by lane and by number, ms on the wall clock. */
  readonly confirmedAtMs: number[][];
  readonly #perMs: number;
  readonly #busy: boolean[];
  readonly #notBeforeMs: number[];
  readonly #beginMs: number;
  #endMs = Number.POSITIVE_INFINITY;
  #turn = 0;

  constructor(input: { count: number; rate: number; beginMs: number }) {
    const { count } = input;
    this.confirmedAtMs = Array.from({ length: count }, () => []);
    this.#perMs = input.rate / 1000 / count;
    this.#busy = new Array(count).fill(false);
    this.#notBeforeMs = new Array(count).fill(0);
    this.#beginMs = input.beginMs;
  }

  /** No message falls due after this time. */
  end(atMs: number): void {
    this.#endMs = atMs;
  }

  /** Number of messages that are due by then, over all lanes. */
  dueBy(nowMs: number): number {
    return this.confirmedAtMs.reduce((sum, _, lane) => sum + this.#due(lane, nowMs), 0);
  }

  get confirmed(): number {
    return this.confirmedAtMs.reduce((sum, times) => sum + times.length, 0);
  }

  /** Lanes that have a message to send and none in flight. */
  ready(nowMs: number): number {
    return this.confirmedAtMs.filter((_, lane) => this.#waiting(lane, nowMs) > 0).length;
  }

  /** Takes up to `run` messages of each ready lane, at most `most` in all; another lane is first each time. */
  take(nowMs: number, { most, run }: { most: number; run: number }): Place[] {
    const places: Place[] = [];
    const count = this.confirmedAtMs.length;
    this.#turn += 1;
    for (let step = 0; step < count && places.length < most; step += 1) {
      const lane = (this.#turn + step) % count;
      const next = this.confirmedAtMs[lane]?.length ?? 0;
      const length = Math.min(this.#waiting(lane, nowMs), run, most - places.length);
      for (let n = next; n < next + length; n += 1) places.push({ lane, n });
      if (length > 0) this.#busy[lane] = true;
    }
    return places;
  }

  /** `published`: one answer for each of the places, all of which are in flight no longer. */
  settle(places: readonly Place[], published: readonly boolean[], nowMs: number): void {
    for (const [index, { lane, n }] of places.entries()) {
      this.#busy[lane] = false;
      const times = this.confirmedAtMs[lane] ?? [];
      // After a failure the rest of the lane's run is sent again, so a candidate that continued after it creates
      // duplicates.
      if (published[index] && times.length === n) times.push(nowMs);
      else this.#notBeforeMs[lane] = nowMs + RETRY_MS;
    }
  }

  #waiting(lane: number, nowMs: number): number {
    if (this.#busy[lane] || (this.#notBeforeMs[lane] ?? 0) > nowMs) return 0;
    return this.#due(lane, nowMs) - (this.confirmedAtMs[lane]?.length ?? 0);
  }

  /** The lanes' messages fall due in turn rather than all at once. */
  #due(lane: number, nowMs: number): number {
    const elapsedMs = Math.min(nowMs, this.#endMs) - this.#beginMs;
    return Math.max(0, Math.floor(elapsedMs * this.#perMs + lane / this.confirmedAtMs.length));
  }
}
