import { Pool } from "undici";
import { ABORTED, type PublishOutcome } from "../sink.ts";
import type { TlsOptions } from "../tls-options.ts";
import { HttpAttempt, type Redirect } from "./http-attempt.ts";
import { publicLookup } from "./public-address.ts";
import { resolveRedirect } from "./redirect.ts";

export interface HttpTransportOptions {
  url: URL;
  timeoutMs: number;
  connectTimeoutMs: number;
  /** Connections for each origin, one request at a time on each. */
  concurrency: number;
  /** Redirects that are followed, one after the other, for one request. */
  redirects: number;
  privateRedirects: boolean;
  tls: TlsOptions | undefined;
}

export interface HttpRequest {
  /** Names and values in turn. Credentials and configured headers are for the configured origin alone (`home`). */
  headers(home: boolean): string[];
  body: string | Buffer;
}

/** Origins that redirects led to and whose connections are kept. */
const MOST_ORIGINS = 8;

/** POSTs to one address, with connections that are kept. What a request means is its sender's to know. */
export class HttpTransport {
  readonly #options: HttpTransportOptions;
  readonly #path: string;
  readonly #home: Pool;
  readonly #others = new Map<string, Pool>();
  readonly #running = new Set<HttpAttempt>();
  readonly #heard = new WeakSet<AbortSignal>();
  #closed = false;

  constructor(options: HttpTransportOptions) {
    this.#options = options;
    this.#path = `${options.url.pathname}${options.url.search}`;
    this.#home = this.#openPool(options.url.origin, { ...options.tls });
  }

  /** Never rejects. */
  post(request: HttpRequest, signal: AbortSignal): Promise<PublishOutcome> {
    return new Promise((resolve) => this.#dispatch(this.#home, this.#path, { request, signal, resolve, from: null }));
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const attempt of this.#running) attempt.abort();
    await Promise.all([this.#home, ...this.#others.values()].map((pool) => pool.destroy()));
  }

  #dispatch(pool: Pool, path: string, posting: Posting): void {
    const { request, signal } = posting;
    if (signal.aborted || this.#closed) {
      posting.resolve(ABORTED);
      return;
    }
    this.#listen(signal);
    const attempt = new HttpAttempt({
      signal,
      redirects: this.#options.redirects > 0,
      done: (ended, outcome, redirect) => {
        this.#running.delete(ended);
        if (outcome) posting.resolve(outcome);
        else if (redirect) this.#follow(redirect, posting);
      },
    });
    this.#running.add(attempt);
    try {
      pool.dispatch(
        { method: "POST", path, headers: request.headers(pool === this.#home), body: request.body },
        attempt,
      );
    } catch (error) {
      attempt.refuse(error);
    }
  }

  /** One listener for each signal, not for each request: that would cost more than building the request. */
  #listen(signal: AbortSignal): void {
    if (this.#heard.has(signal)) return;
    this.#heard.add(signal);
    const abort = () => {
      for (const attempt of this.#running) if (attempt.signal === signal) attempt.abort();
    };
    signal.addEventListener("abort", abort, { once: true });
  }

  #follow({ status, location }: Redirect, posting: Posting): void {
    const { url: home, redirects, privateRedirects } = this.#options;
    const hops = (posting.from?.hops ?? 0) + 1;
    const from = posting.from?.url ?? home;
    const next =
      hops > redirects
        ? { refused: `There were more than ${redirects} redirects.` }
        : resolveRedirect({ from, home, location, privateAllowed: privateRedirects });
    if ("refused" in next) {
      posting.resolve(refused(status, next.refused));
      return;
    }
    const { origin, pathname, search } = next.url;
    this.#dispatch(this.#poolOf(origin), `${pathname}${search}`, { ...posting, from: { url: next.url, hops } });
  }

  #poolOf(origin: string): Pool {
    if (origin === this.#options.url.origin) return this.#home;
    const known = this.#others.get(origin);
    if (known) return known;
    const { tls, privateRedirects } = this.#options;
    // The client's certificate and the name to check belong to the configured origin.
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

  #openPool(origin: string, connect: Pool.Options["connect"] & object): Pool {
    const { concurrency, timeoutMs, connectTimeoutMs } = this.#options;
    return new Pool(origin, {
      connections: concurrency,
      pipelining: 1,
      allowH2: false,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      connect: { ...connect, timeout: connectTimeoutMs },
      keepAliveTimeout: 30_000,
    });
  }
}

interface Posting {
  request: HttpRequest;
  signal: AbortSignal;
  resolve: (outcome: PublishOutcome) => void;
  /** The redirect that led here; null for the configured address. */
  from: { url: URL; hops: number } | null;
}

/** A wrong address, which no retry of this message and no other message will cure. */
function refused(status: number, sentence: string): PublishOutcome {
  const message = `HTTP ${status}: ${sentence}`;
  return { kind: "failed", failure: { code: "unavailable", kind: "environment", message } };
}
