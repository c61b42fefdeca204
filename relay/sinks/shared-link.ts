import { setImmediate } from "node:timers/promises";

export interface Link {
  /** False once lost or closed; never true again. */
  readonly usable: boolean;
  /** True when nothing is in flight on it. */
  readonly idle: boolean;
  close(): Promise<void>;
}

/**
 * One connection shared by all calls of a sink. The first call that needs it opens it, and reopens it after a loss.
 * There is no reconnecting in the background: each failed try ends at once with its reason, and the relay's breaker
 * decides when to try again.
 */
export class SharedLink<T extends Link> {
  readonly #open: () => Promise<T>;
  #link: T | undefined;
  #opening: Promise<T> | undefined;
  #closed = false;

  constructor(open: () => Promise<T>) {
    this.#open = open;
  }

  /** The connection if it is open and has messages in flight; does not wait. */
  get busy(): T | undefined {
    return this.#link?.usable && !this.#link.idle ? this.#link : undefined;
  }

  /** Rejects with the reason why no connection is available. */
  async get(): Promise<T> {
    // The event loop must poll the socket before a lost idle connection is noticed; anything sent without that poll
    // would count as possibly arrived.
    if (this.#link?.usable) await eventLoopLooked();
    if (this.#link?.usable) return this.#link;
    this.#opening ??= this.#replace().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #replace(): Promise<T> {
    const link = await this.#open();
    if (this.#closed) {
      await link.close();
      throw new Error("The sink is closed.");
    }
    this.#link = link;
    return link;
  }

  async close(): Promise<void> {
    this.#closed = true;
    // A connection that is still opening closes itself.
    await this.#opening?.catch(() => undefined);
    await this.#link?.close();
  }
}

/**
 * Waits for the rest of this turn, one turn that polls the sockets, and its end, when close events fire. Timers run
 * before sockets are polled: after a stall of the process a limit is over while the answer waits to be read.
 */
export async function eventLoopLooked(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await setImmediate();
}
