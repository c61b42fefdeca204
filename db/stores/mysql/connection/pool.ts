import { AcquireTimeoutError } from "./database-error.ts";
import { type Link, type LinkOptions, openLink } from "./link.ts";
import type { OwnPlace } from "./own-place.ts";

export interface PoolOptions extends Omit<LinkOptions, "idleLimitMs"> {
  max: number;
  /** Where our own tables live. */
  own: OwnPlace;
  /** A connection is replaced after this time, ms. */
  lifetimeMs?: number;
  /** Longest idleness, ms, in a transaction and between statements; the default is 20 s. */
  idleLimitMs?: number;
}

/** Longest time to wait for a connection, ms. */
const ACQUIRE_TIMEOUT_MS = 3000;
/** A transaction that is idle for longer belongs to a caller that hangs, and holds locks. */
const IDLE_LIMIT_MS = 20_000;
/**
 * An unused connection is closed well before the server does it, so that no statement meets a connection that just
 * ended.
 */
const EVICT_BEFORE_MS = 5000;

/** Connections to one server, opened as they are needed. */
export interface Pool {
  readonly own: OwnPlace;
  readonly max: number;
  readonly statementTimeoutMs: number;
  /** A connection for one caller. Throws AcquireTimeoutError when all are busy for 3 s, and the driver's errors. */
  connect(): Promise<Link>;
  /** Gives a connection back; `broken` closes it, which rolls back its transaction. */
  release(link: Link, broken?: boolean): void;
  /** Opens one connection more than the pool has and closes it. Throws the driver's errors. */
  tryNew(): Promise<void>;
  /** Closes idle connections at once, and the others when they are given back. */
  end(): Promise<void>;
}

export function createPool(options: PoolOptions): Pool {
  return new LinkPool(options);
}

class LinkPool implements Pool {
  readonly own: OwnPlace;
  readonly max: number;
  readonly statementTimeoutMs: number;
  readonly #options: LinkOptions;
  readonly #lifetimeMs: number;
  readonly #openedMs = new WeakMap<Link, number>();
  readonly #idle: { link: Link; timer: NodeJS.Timeout }[] = [];
  readonly #waiting: { take: (link: Link | null) => void }[] = [];
  readonly #closing = new Set<Promise<void>>();
  /** Connections that are open or being opened. */
  #size = 0;
  #ended: { promise: Promise<void>; resolve: () => void } | null = null;

  constructor(options: PoolOptions) {
    this.own = options.own;
    this.max = options.max;
    this.statementTimeoutMs = options.statementTimeoutMs;
    this.#lifetimeMs = options.lifetimeMs ?? Number.POSITIVE_INFINITY;
    this.#options = { ...options, idleLimitMs: options.idleLimitMs ?? IDLE_LIMIT_MS };
  }

  async connect(): Promise<Link> {
    const idle = this.#takeIdle();
    if (idle) return idle;
    if (this.#size < this.max) {
      this.#size += 1;
      return this.#open();
    }
    return (await this.#wait()) ?? this.#open();
  }

  async tryNew(): Promise<void> {
    await (await openLink(this.#options)).end();
  }

  release(link: Link, broken = false): void {
    if (broken || link.lost || this.#ended) this.#close(link, broken);
    else if (this.#isOld(link)) this.#close(link, false);
    else if (this.#waiting.length > 0) this.#waiting.shift()?.take(link);
    else this.#rest(link);
  }

  #isOld(link: Link): boolean {
    return performance.now() - (this.#openedMs.get(link) ?? 0) > this.#lifetimeMs;
  }

  #rest(link: Link): void {
    const timer = setTimeout(() => this.#evict(link), this.#options.idleLimitMs - EVICT_BEFORE_MS);
    timer.unref();
    this.#idle.push({ link, timer });
  }

  async end(): Promise<void> {
    this.#ended ??= Promise.withResolvers<void>();
    for (const { link } of [...this.#idle]) this.#evict(link);
    if (this.#size === 0) this.#ended.resolve();
    await this.#ended.promise;
    await Promise.all(this.#closing);
  }

  #takeIdle(): Link | null {
    for (let found = this.#idle.pop(); found; found = this.#idle.pop()) {
      clearTimeout(found.timer);
      if (!found.link.lost) return found.link;
      this.#close(found.link, true);
    }
    return null;
  }

  /** The caller has reserved a place in the pool for it. */
  async #open(): Promise<Link> {
    try {
      if (this.#ended) throw new Error("The pool of connections is closed.");
      const link = await openLink(this.#options);
      this.#openedMs.set(link, performance.now());
      return link;
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  /** Waits for a link that is given back; null if a link was closed instead, which leaves its place to the caller. */
  #wait(): Promise<Link | null> {
    return new Promise((resolve, reject) => {
      const entry = {
        take: (link: Link | null) => {
          clearTimeout(timer);
          resolve(link);
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        reject(new AcquireTimeoutError());
      }, ACQUIRE_TIMEOUT_MS);
      this.#waiting.push(entry);
    });
  }

  #evict(link: Link): void {
    const place = this.#idle.findIndex((entry) => entry.link === link);
    const [found] = place < 0 ? [] : this.#idle.splice(place, 1);
    if (!found) return;
    clearTimeout(found.timer);
    this.#close(link, link.lost);
  }

  #close(link: Link, broken: boolean): void {
    if (broken) link.destroy();
    else {
      const closing = link.end().finally(() => this.#closing.delete(closing));
      this.#closing.add(closing);
    }
    this.#leave();
  }

  /** Passes the place of a closed connection to the next waiting caller, or frees it. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) {
      next.take(null);
      return;
    }
    this.#size -= 1;
    if (this.#ended && this.#size === 0) this.#ended.resolve();
  }
}
