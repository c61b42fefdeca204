import { buildConnector, Pool } from "undici";
import type { Failure } from "#domain/failure.ts";
import { ABORTED, type PublishOutcome } from "../sink.ts";
import type { TlsOptions } from "../tls-options.ts";
import { failureOfError } from "./classify-failure.ts";
import { type AttemptOwner, HttpAttempt, type Posting, type Redirect } from "./http-attempt.ts";
import { HttpConnections } from "./http-connections.ts";
import { publicLookup } from "./public-address.ts";
import { resolveRedirect } from "./redirect.ts";

export interface HttpTransportOptions {
  url: URL;
  timeoutMs: number;
  connectTimeoutMs: number;
  /** Connections for each origin, one request at a time on each. */
  concurrency: number;
  /** Most redirects followed in a row for one request. */
  redirects: number;
  privateRedirects: boolean;
  /** Statuses that confirm; any from 200 to 299 when left out. */
  confirms: readonly number[] | undefined;
  tls: TlsOptions | undefined;
}

export interface HttpRequest {
  /** Names and values alternating. Credentials and configured headers go to the configured origin (`home`) only. */
  headers(home: boolean): string[];
  body: string | Buffer;
}

/** Origins reached by redirects whose connections are kept. */
const MOST_ORIGINS = 8;
/** A connection without requests is kept this long. */
const KEPT_MS = 30_000;

/** POSTs to one address over kept connections. The sender interprets the responses. */
export class HttpTransport implements AttemptOwner<Post> {
  readonly #options: HttpTransportOptions;
  readonly #path: string;
  readonly #home: HttpConnections;
  readonly #others = new Map<string, HttpConnections>();
  /** Connections for a single request each, for requests that were lost with a kept connection. */
  #fresh: HttpConnections | undefined;
  #answeredAtMs = Number.NEGATIVE_INFINITY;
  readonly #running = new Set<HttpAttempt<Post>>();
  readonly #heard = new WeakSet<AbortSignal>();
  #closed = false;

  constructor(options: HttpTransportOptions) {
    this.#options = options;
    this.#path = `${options.url.pathname}${options.url.search}`;
    this.#home = this.#openPool(options.url.origin, { ...options.tls });
  }

  /** Calls `done` once, possibly before returning. A callback, not a promise: this is the relay's hottest path. */
  post(request: HttpRequest, signal: AbortSignal, done: (outcome: PublishOutcome) => void): void {
    const { url: from, timeoutMs, redirects, confirms } = this.#options;
    const post = { request, signal, done, redirects: redirects > 0, confirms, timeoutMs, from, hops: 0, fresh: false };
    this.#dispatch(this.#home, this.#path, post);
  }

  /** Opens and closes a connection: no request is both harmless and understood by every webhook. */
  check(): Promise<Failure | null> {
    const { url, tls, connectTimeoutMs } = this.#options;
    const connect = buildConnector({ ...tls, timeout: connectTimeoutMs, allowH2: false });
    const { host, protocol, port } = url;
    const hostname = url.hostname.replace(/^\[|\]$/g, "");
    return new Promise((resolve) => {
      connect({ host, hostname, protocol, port }, (error, socket) => {
        socket?.destroy();
        resolve(error ? failureOfError(error, false) : null);
      });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const attempt of this.#running) attempt.abort();
    const pools = [this.#home, ...(this.#fresh ? [this.#fresh] : []), ...this.#others.values()];
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  ended(attempt: HttpAttempt<Post>, outcome: PublishOutcome): void {
    this.#running.delete(attempt);
    const { posting } = attempt;
    if (attempt.answered) this.#answeredAtMs = performance.now();
    if (attempt.lostLine && this.#mayBeStale(posting)) {
      this.#fresh ??= this.#openPool(this.#options.url.origin, { ...this.#options.tls }, 0);
      this.#dispatch(this.#fresh, this.#path, { ...posting, fresh: true });
      return;
    }
    if (attempt.answered && blamesInstance(outcome)) this.#poolOf(posting.from.origin).renew();
    posting.done(outcome);
  }

  /**
   * A receiver may close a kept connection just when a request is sent on it, which is no failure of the receiver or
   * the message: the same request is sent once more, on a new connection.
   */
  #mayBeStale({ fresh, hops }: Post): boolean {
    return !fresh && hops === 0 && performance.now() - this.#answeredAtMs < KEPT_MS;
  }

  redirected(attempt: HttpAttempt<Post>, { status, location }: Redirect): void {
    this.#running.delete(attempt);
    const { posting } = attempt;
    const { url: home, redirects, privateRedirects } = this.#options;
    const next =
      posting.hops >= redirects
        ? { refused: `There were more than ${redirects} redirects.` }
        : resolveRedirect({ from: posting.from, home, location, privateAllowed: privateRedirects });
    if ("refused" in next) {
      posting.done(refused(status, next.refused));
      return;
    }
    const { origin, pathname, search } = next.url;
    const path = `${pathname}${search}`;
    this.#dispatch(this.#poolOf(origin), path, { ...posting, from: next.url, hops: posting.hops + 1 });
  }

  #dispatch(pool: HttpConnections, path: string, post: Post): void {
    if (post.signal.aborted || this.#closed) {
      post.done(ABORTED);
      return;
    }
    this.#listen(post.signal);
    const { headers, body } = post.request;
    const attempt = new HttpAttempt(post, this);
    this.#running.add(attempt);
    try {
      const home = pool === this.#home || pool === this.#fresh;
      pool.dispatch({ method: "POST", path, headers: headers(home), body }, attempt);
    } catch (error) {
      attempt.refuse(error);
    }
  }

  /** One listener per signal, not per request: that would cost more than building the request. */
  #listen(signal: AbortSignal): void {
    if (this.#heard.has(signal)) return;
    this.#heard.add(signal);
    const abort = () => {
      for (const attempt of this.#running) if (attempt.posting.signal === signal) attempt.abort();
    };
    signal.addEventListener("abort", abort, { once: true });
  }

  #poolOf(origin: string): HttpConnections {
    if (origin === this.#options.url.origin) return this.#home;
    const known = this.#others.get(origin);
    if (known) return known;
    const { tls, privateRedirects } = this.#options;
    // The client certificate and the server name to verify belong to the configured origin.
    const { ca, rejectUnauthorized } = tls ?? {};
    const pool = this.#openPool(origin, {
      ...(ca === undefined ? {} : { ca }),
      ...(rejectUnauthorized === undefined ? {} : { rejectUnauthorized }),
      ...(privateRedirects ? {} : { lookup: publicLookup() }),
    });
    const [oldest] = this.#others;
    if (oldest && this.#others.size >= MOST_ORIGINS) {
      this.#others.delete(oldest[0]);
      void oldest[1].close();
    }
    this.#others.set(origin, pool);
    return pool;
  }

  /** `pipelining` 0: each request closes its connection. */
  #openPool(origin: string, connect: Pool.Options["connect"] & object, pipelining = 1): HttpConnections {
    const { concurrency, timeoutMs, connectTimeoutMs } = this.#options;
    const options: Pool.Options = {
      connections: concurrency,
      pipelining,
      allowH2: false,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      connect: { ...connect, timeout: connectTimeoutMs },
      keepAliveTimeout: KEPT_MS,
    };
    return new HttpConnections(() => new Pool(origin, options));
  }
}

interface Post extends Posting {
  readonly request: HttpRequest;
  readonly done: (outcome: PublishOutcome) => void;
  /** Current target, and the number of redirects that led to it. */
  readonly from: URL;
  readonly hops: number;
  /** Sent on a new connection, because a kept one was lost with it. */
  readonly fresh: boolean;
}

/**
 * An answer that another instance of the receiver may not give; one about the message or a limit of its rate is not.
 */
function blamesInstance(outcome: PublishOutcome): boolean {
  return outcome.kind === "failed" && outcome.failure.kind !== "message" && outcome.failure.code !== "throttled";
}

/** The configured address is wrong; neither a retry nor another message helps. */
function refused(status: number, sentence: string): PublishOutcome {
  const message = `HTTP ${status}: ${sentence}`;
  return { kind: "failed", failure: { code: "unavailable", kind: "environment", message } };
}
