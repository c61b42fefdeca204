/** Longest wait for the answer to evidence, ms: a sink that is at fault may not answer at all. */
const LONGEST_MS = 3000;
/** After this time the message has probably gone back to the table, and another is claimed. */
const AGAIN_MS = 1000;

/**
 * One of the last messages, published to distinguish failing messages from a failing sink: thousands of failing ones
 * that come first look like an outage, because no message gets through for a second.
 */
export class Evidence {
  #isPending = false;
  #id: string | null = null;
  #begunMs = Number.NEGATIVE_INFINITY;

  /** True while there is none that is claimed or waits for its answer. */
  isMissing(nowMs: number): boolean {
    return !this.#isPending || nowMs - this.#begunMs > AGAIN_MS;
  }

  /** A message is about to be claimed as evidence. */
  begin(nowMs: number): void {
    this.#isPending = true;
    this.#id = null;
    this.#begunMs = nowMs;
  }

  /** The message is about to be published; null if there is none, and then no evidence for the sink. */
  found(id: string | null): void {
    this.#isPending = id !== null;
    this.#id = id;
  }

  /** A message got through. */
  worked(): void {
    this.#isPending = false;
  }

  failed(id: string): void {
    if (id === this.#id) this.#isPending = false;
  }

  /** True if it may still show that the sink works. */
  isAwaited(workedMs: number, nowMs: number): boolean {
    return this.#isPending && nowMs - workedMs < LONGEST_MS;
  }
}
