import type { Dispatcher } from "undici";
import { messageOf } from "#domain/errors.ts";
import type { Failure } from "#domain/failure.ts";
import { ABORTED, PUBLISHED, type PublishOutcome, unsent } from "../sink.ts";
import { type BodyForm, firstOf, isPage, isPageType, textOfBody } from "./answer-text.ts";
import { failureOfError, failureOfStatus, isConfirmed, LOST_LINE, NO_ANSWER, TIMEOUTS } from "./classify-failure.ts";
import { keepsMethod } from "./redirect.ts";

/** Bytes of an error response that are kept for the error text. */
const ERROR_BODY_BYTES = 2048;
/** Reading a longer unwanted body costs more than opening a new connection. */
const MOST_UNWANTED_BYTES = 65_536;
/** Longest time for a body, ms: one that trickles in would keep its message and its connection for hours. */
const LONGEST_BODY_MS = 1000;

const UNWANTED = new Error("the body is not wanted");

/** No final answer came in time; its code is the client's own for that. */
class NoAnswerError extends Error {
  readonly code = NO_ANSWER;
}

export interface Redirect {
  status: number;
  location: string | undefined;
}

/** A request on its way to its final answer, over any number of redirects. */
export interface Posting {
  readonly signal: AbortSignal;
  /** Redirects that keep the method are reported as redirects, not as failures. */
  readonly redirects: boolean;
  /** Statuses that confirm; any from 200 to 299 when left out. */
  readonly confirms: readonly number[] | undefined;
  /** Longest wait for the start of an answer, ms. */
  readonly timeoutMs: number;
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
  #date: string | undefined;
  #location: string | undefined;
  #form: BodyForm = { contentType: "", contentEncoding: "" };
  #body: Buffer[] | undefined;
  #bytes = 0;
  #bodySinceMs = 0;
  #interimSinceMs = 0;
  /** The status confirms with any body. Counts once the answer is complete: a proxy may fail after its first line. */
  #confirms = false;
  #finished = false;
  #aborted = false;
  /** The connection ended before any byte of an answer. */
  lostLine = false;

  constructor(posting: P, owner: AttemptOwner<P>) {
    this.posting = posting;
    this.#owner = owner;
  }

  get answered(): boolean {
    return this.#status !== 0;
  }

  abort(): void {
    this.#aborted = true;
    if (this.#controller) this.#controller.abort(new Error("aborted"));
    else this.#finish(ABORTED);
  }

  refuse(error: unknown): void {
    const message = messageOf(error);
    this.#finish(unsent({ code: "serialisation", kind: "message", message: `The request cannot be made: ${message}` }));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#aborted) controller.abort(new Error("aborted"));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Record<string, unknown>): void {
    if (status < 200) {
      this.#interim(controller);
      return;
    }
    this.#status = status;
    const contentType = firstOf(headers["content-type"]) ?? "";
    // Only a page of HTML is read before it counts; without `confirms` it may be a login's or a proxy's.
    const mayBePage = this.posting.confirms === undefined && isPageType(contentType);
    if (isConfirmed(status, this.posting.confirms) && !mayBePage) {
      this.#confirms = true;
      return;
    }
    this.#form = { contentType, contentEncoding: firstOf(headers["content-encoding"]) ?? "" };
    this.#retryAfter = firstOf(headers["retry-after"]);
    this.#date = firstOf(headers.date);
    this.#location = firstOf(headers.location);
    if (!this.posting.redirects || !keepsMethod(status)) return;
    this.#finished = true;
    this.#owner.redirected(this, { status, location: this.#location });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    const slow = this.#isSlow();
    if (this.#finished || this.#confirms) {
      if (slow || this.#bytes > MOST_UNWANTED_BYTES) controller.abort(UNWANTED);
      return;
    }
    this.#body ??= [];
    this.#body.push(chunk);
    if (slow || this.#bytes >= ERROR_BODY_BYTES) {
      this.#answer();
      controller.abort(UNWANTED);
    }
  }

  onResponseEnd(): void {
    if (!this.#finished) this.#answer();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#finished) return;
    const code = "code" in error ? String(error.code) : "";
    // We ended the answer ourselves (abort, time limit, unwanted body): the receiver's status has confirmed the
    // message.
    if (this.#confirms && (this.#aborted || error === UNWANTED || TIMEOUTS.has(code))) this.#finish(PUBLISHED);
    else if (this.#aborted) this.#finish(ABORTED);
    else if (isConfirmed(this.#status, this.posting.confirms)) this.#finish(this.#incomplete(error));
    else if (this.#status !== 0) this.#answer();
    else {
      this.lostLine = LOST_LINE.has(code);
      this.#finish({ kind: "failed", failure: this.#failureOf(error) });
    }
  }

  /**
   * Each interim answer makes the client wait anew, so a receiver that sends them again and again would keep its
   * message.
   */
  #interim(controller: Dispatcher.DispatchController): void {
    const nowMs = performance.now();
    this.#interimSinceMs ||= nowMs;
    if (nowMs - this.#interimSinceMs > this.posting.timeoutMs) controller.abort(new NoAnswerError());
  }

  /** The answer, of the receiver or of a proxy, broke off after its status. */
  #incomplete(error: Error): PublishOutcome {
    const { message, ...failure } = this.#failureOf(error);
    return {
      kind: "failed",
      failure: { ...failure, message: `HTTP ${this.#status}, then the answer broke off: ${message}` },
    };
  }

  #failureOf(error: Error): Failure {
    return failureOfError(error, this.#controller !== undefined, this.posting.timeoutMs);
  }

  /** Checked with each chunk, so no timer is needed; without chunks the client's own limit applies. */
  #isSlow(): boolean {
    const nowMs = performance.now();
    this.#bodySinceMs ||= nowMs;
    return nowMs - this.#bodySinceMs > Math.min(LONGEST_BODY_MS, this.posting.timeoutMs);
  }

  #answer(): void {
    const bytes = this.#body ? Buffer.concat(this.#body).subarray(0, ERROR_BODY_BYTES) : Buffer.alloc(0);
    const text = textOfBody(bytes, this.#form);
    const [status, retryAfter, date, location] = [this.#status, this.#retryAfter, this.#date, this.#location];
    const { confirms } = this.posting;
    // HTML that cannot be decoded is read by nobody, so it is taken for a page.
    const page = confirms === undefined && status < 300 && (text === null || isPage(text));
    const body = text ?? "";
    if (isConfirmed(status, confirms) && !page) {
      this.#finish(PUBLISHED);
      return;
    }
    this.#finish({ kind: "failed", failure: failureOfStatus({ status, body, retryAfter, date, location, page }) });
  }

  #finish(outcome: PublishOutcome): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#body = undefined;
    this.#owner.ended(this, outcome);
  }
}
