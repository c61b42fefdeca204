import type { Dispatcher } from "undici";
import { ABORTED, PUBLISHED, type PublishOutcome } from "../sink.ts";
import { failureOfError, failureOfStatus } from "./classify-failure.ts";
import { keepsMethod } from "./redirect.ts";

/** Bytes of an error response that are kept for the error text. */
const ERROR_BODY_BYTES = 2048;
/** Reading a longer unwanted body costs more than opening a new connection. */
const MOST_UNWANTED_BYTES = 65_536;

export interface Redirect {
  status: number;
  location: string | undefined;
}

/** A request on its way to its final answer, over any number of redirects. */
export interface Posting {
  readonly signal: AbortSignal;
  /** Redirects that keep the method are reported as redirects, not as failures. */
  readonly redirects: boolean;
}

/** Called once, with the outcome or with the redirect's target. */
export interface AttemptOwner<P extends Posting> {
  ended(attempt: HttpAttempt<P>, outcome: PublishOutcome): void;
  redirected(attempt: HttpAttempt<P>, redirect: Redirect): void;
}

/** One request. Records how far it got: a sink that was never reached differs from one that may have the message. */
export class HttpAttempt<P extends Posting = Posting> implements Dispatcher.DispatchHandler {
  readonly posting: P;
  readonly #owner: AttemptOwner<P>;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #retryAfter: string | undefined;
  #body: Buffer[] | undefined;
  #bytes = 0;
  #finished = false;
  #aborted = false;

  constructor(posting: P, owner: AttemptOwner<P>) {
    this.posting = posting;
    this.#owner = owner;
  }

  abort(): void {
    this.#aborted = true;
    if (this.#controller) this.#controller.abort(new Error("aborted"));
    else this.#finish(ABORTED);
  }

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
    if (status < 300) {
      this.#finish(PUBLISHED);
      return;
    }
    const { location, "retry-after": retryAfter } = headers;
    if (typeof retryAfter === "string") this.#retryAfter = retryAfter;
    if (!this.posting.redirects || !keepsMethod(status)) return;
    this.#finished = true;
    this.#owner.redirected(this, { status, location: typeof location === "string" ? location : undefined });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#finished) {
      if (this.#bytes > MOST_UNWANTED_BYTES) controller.abort(new Error("the body is not wanted"));
      return;
    }
    this.#body ??= [];
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
    if (this.#aborted) this.#finish(ABORTED);
    else if (this.#status !== 0) this.#answer();
    else this.#finish({ kind: "failed", failure: failureOfError(error, this.#controller !== undefined) });
  }

  #answer(): void {
    const body = this.#body ? Buffer.concat(this.#body).subarray(0, ERROR_BODY_BYTES).toString("utf8") : "";
    const failure = failureOfStatus(this.#status, body, this.#retryAfter);
    this.#finish(failure ? { kind: "failed", failure } : PUBLISHED);
  }

  #finish(outcome: PublishOutcome): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#body = undefined;
    this.#owner.ended(this, outcome);
  }
}
