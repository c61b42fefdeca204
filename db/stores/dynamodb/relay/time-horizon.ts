import type { Horizon } from "../../port/relay/claim.ts";
import type { StreamTransaction } from "../../port/relay/stream-transaction.ts";

/**
 * Longest time, ms, after which an item is expected in the index: a writer takes its place in the order before it
 * writes, and the index follows the table. DynamoDB shows neither. The search for late rows finds later ones.
 */
const WINDOW_MS = 60_000;

/** How far a read could see, by time alone. */
export class TimeHorizon implements Horizon {
  readonly #beganAtMs: number;
  #endedAtMs: number;
  /** The server's clock at the beginning. */
  readonly #serverMs: number;

  constructor(serverMs: number) {
    this.#beganAtMs = performance.now();
    this.#endedAtMs = this.#beganAtMs;
    this.#serverMs = serverMs;
  }

  end(): this {
    this.#endedAtMs = performance.now();
    return this;
  }

  /** Compares only horizons of this engine. */
  hasPassed(earlier: Horizon): boolean {
    return earlier instanceof TimeHorizon && this.#beganAtMs - earlier.#endedAtMs >= WINDOW_MS;
  }

  hasEnded({ committedAtMs }: StreamTransaction): boolean {
    return this.#serverMs - committedAtMs >= WINDOW_MS;
  }
}
