import { setImmediate } from "node:timers/promises";

export interface Link {
  /** False once it was lost or closed; for good. */
  readonly usable: boolean;
  /** Nothing is under way on it. */
  readonly idle: boolean;
  close(): Promise<void>;
}

/**
 * One connection for all calls of a sink: opened by the first that needs it, and again by the first that needs it after
 * it was lost. There is no reconnecting behind the relay's back: each try ends with the reason why it failed, at once, and
 * the relay's breaker decides when the next one is due.
 */
export class SharedLink<T extends Link> {
  readonly #open: () => Promise<T>;
  #link: T | undefined;
  #opening: Promise<T> | undefined;
  #closed = false;

  constructor(open: () => Promise<T>) {
    this.#open = open;
  }

  /** The connection that is there and in use, without waiting. */
  get busy(): T | undefined {
    return this.#link?.usable && !this.#link.idle ? this.#link : undefined;
  }

  /** Rejects with the reason why there is no connection to be had. */
  async get(): Promise<T> {
    // Whether a connection was lost while nothing was sent shows once the event loop has looked at its socket; what is
    // sent without looking may have arrived for all that anyone knows.
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
    // A connection that is still being opened closes itself.
    await this.#opening?.catch(() => undefined);
    await this.#link?.close();
  }
}

/** The rest of this turn, one that looks at the sockets, and its end, where what was closed is told. */
async function eventLoopLooked(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await setImmediate();
}
