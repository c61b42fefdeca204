import { type Dispatcher, Pool } from "undici";
import type { OutgoingMessage } from "#db/outbox/relay-port.ts";
import { ABORTED, PUBLISHED, type PublishOutcome, type Sink } from "../sink.ts";
import { failureOfError, failureOfStatus } from "./classify.ts";
import { headerValue, requestHeaders } from "./request-headers.ts";

export interface HttpSinkOptions {
  url: string;
  headers: Record<string, string>;
  /** Longest wait for the answer, ms. */
  timeoutMs: number;
  connectTimeoutMs: number;
  /** Connections, one request at a time on each. */
  concurrency: number;
}

/** Of a response that is not a confirmation, this much is kept for people. */
const ERROR_BODY_BYTES = 2048;

/** One POST per event; a 2xx status is the confirmation. Redirects are not followed. */
export function createHttpSink(options: HttpSinkOptions): Sink {
  const url = new URL(options.url);
  const path = `${url.pathname}${url.search}`;
  const configured = Object.entries(options.headers).flatMap(([name, value]) => [
    name.toLowerCase(),
    headerValue(value),
  ]);
  if (url.username !== "" && !("authorization" in options.headers)) {
    const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    configured.push("authorization", `Basic ${Buffer.from(user).toString("base64")}`);
  }
  const pool = new Pool(url.origin, {
    connections: options.concurrency,
    pipelining: 1,
    headersTimeout: options.timeoutMs,
    bodyTimeout: options.timeoutMs,
    connect: { timeout: options.connectTimeoutMs },
    keepAliveTimeout: 30_000,
  });
  const running = new Set<HttpAttempt>();

  const publishOne = (message: OutgoingMessage, signal: AbortSignal) =>
    new Promise<PublishOutcome>((resolve) => {
      if (signal.aborted || pool.closed || pool.destroyed) return resolve(ABORTED);
      const attempt = new HttpAttempt((outcome) => {
        running.delete(attempt);
        signal.removeEventListener("abort", attempt.abort);
        resolve(outcome);
      });
      running.add(attempt);
      signal.addEventListener("abort", attempt.abort);
      try {
        pool.dispatch(
          { method: "POST", path, headers: requestHeaders(message, configured), body: bodyOf(message) },
          attempt,
        );
      } catch (error) {
        attempt.refuse(error);
      }
    });

  return {
    kind: "http",
    maxBatch: 1,
    keepsOrderInBatch: false,
    connect: async () => undefined,
    // A webhook has no harmless request that is sure to be understood; the first message is the check.
    check: async () => null,
    publish: (messages, signal) => Promise.all(messages.map((message) => publishOne(message, signal))),
    async close() {
      for (const attempt of running) attempt.abort();
      await pool.destroy();
    },
    describe: () => ({ kind: "http", address: `${url.protocol}//${url.host}${url.pathname}` }),
  };
}

function bodyOf({ payload, payloadKind }: OutgoingMessage): string | Buffer {
  return payloadKind === "binary" ? Buffer.from(payload ?? "", "base64") : (payload ?? "");
}

/** One request: knows how far it got, which tells a sink that was never reached from one that may have the message. */
class HttpAttempt implements Dispatcher.DispatchHandler {
  readonly #done: (outcome: PublishOutcome) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #retryAfter: string | undefined;
  #body: Buffer[] = [];
  #bytes = 0;
  #finished = false;
  #aborted = false;

  constructor(done: (outcome: PublishOutcome) => void) {
    this.#done = done;
  }

  readonly abort = (): void => {
    this.#aborted = true;
    if (this.#controller) this.#controller.abort(new Error("aborted"));
    else this.#finish(ABORTED);
  };

  refuse(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#finish({
      kind: "failed",
      failure: { code: "serialisation", kind: "message", message: `The request cannot be made: ${message}` },
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#aborted) controller.abort(new Error("aborted"));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Record<string, unknown>): void {
    if (status < 200) return;
    this.#status = status;
    const retryAfter = headers["retry-after"];
    if (typeof retryAfter === "string") this.#retryAfter = retryAfter;
    if (status < 300) this.#finish(PUBLISHED);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#finished) {
      // The confirmation is all that matters; a long body after it costs less as a closed connection.
      if (this.#bytes > 65_536) controller.abort(new Error("the body is not wanted"));
      return;
    }
    this.#body.push(chunk);
    if (this.#bytes >= ERROR_BODY_BYTES) {
      this.#answer();
      controller.abort(new Error("the body is not wanted"));
    }
  }

  onResponseEnd(): void {
    if (!this.#finished) this.#answer();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#finished) return;
    if (this.#aborted) {
      this.#finish(ABORTED);
      return;
    }
    if (this.#status !== 0) {
      this.#answer();
      return;
    }
    this.#finish({ kind: "failed", failure: failureOfError(error, this.#controller !== undefined) });
  }

  #answer(): void {
    const body = Buffer.concat(this.#body).subarray(0, ERROR_BODY_BYTES).toString("utf8");
    const failure = failureOfStatus(this.#status, body, this.#retryAfter);
    this.#finish(failure ? { kind: "failed", failure } : PUBLISHED);
  }

  #finish(outcome: PublishOutcome): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#body = [];
    this.#done(outcome);
  }
}
