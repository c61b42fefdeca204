import type { Dispatcher, Pool } from "undici";

/** Opens a pool of connections to one origin. */
export type OpenPool = () => Pool;

/**
 * Least time between two replacements, ms: a receiver that answers many errors must not cost a connection, and with TLS
 * a handshake, for each.
 */
const RENEWED_AT_MOST_EVERY_MS = 5000;

/**
 * Connections to one origin. Behind an address there may be several instances, or after a change of the name another
 * one, and a kept connection stays with the instance that it once reached, however that answers.
 */
export class HttpConnections {
  readonly #open: OpenPool;
  #pool: Pool;
  #renewedAtMs = Number.NEGATIVE_INFINITY;
  /** Replaced pools whose requests are not all answered. */
  readonly #leaving = new Set<Pool>();

  constructor(open: OpenPool) {
    this.#open = open;
    this.#pool = open();
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#pool.dispatch(options, handler);
  }

  /** The next requests go over new connections; those that run keep theirs until they are answered. */
  renew(): void {
    const nowMs = performance.now();
    if (nowMs - this.#renewedAtMs < RENEWED_AT_MOST_EVERY_MS) return;
    this.#renewedAtMs = nowMs;
    const old = this.#pool;
    this.#pool = this.#open();
    void this.#leave(old);
  }

  /** Resolves when all requests are answered. */
  async close(): Promise<void> {
    await this.#pool.close();
  }

  async destroy(): Promise<void> {
    await Promise.all([this.#pool, ...this.#leaving].map((pool) => pool.destroy()));
  }

  async #leave(pool: Pool): Promise<void> {
    this.#leaving.add(pool);
    // A pool that is destroyed meanwhile is closed as well.
    await pool.close().catch(() => undefined);
    this.#leaving.delete(pool);
  }
}
