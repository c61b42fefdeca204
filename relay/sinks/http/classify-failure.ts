import type { Failure, FailureCode, FailureKind } from "#domain/failure.ts";
import { formatDuration } from "#domain/format.ts";
import { isPage, titleOf } from "./answer-text.ts";
import { describeError } from "./connection-error-words.ts";
import { RefusedAddressError } from "./public-address.ts";
import { shownAddress } from "./redirect.ts";

/** Statuses that mean the endpoint is unavailable for every message: hold, and use up no attempt. */
const ENVIRONMENT: Record<number, FailureCode> = {
  401: "auth",
  403: "auth",
  407: "auth",
  // This connection does not lead to the receiver: the next one may.
  421: "unavailable",
  // Too early: nothing was processed.
  425: "unavailable",
  429: "throttled",
  502: "unavailable",
  503: "unavailable",
  504: "unavailable",
};

/** Statuses that reject this message permanently; all others below 500 are ambiguous. */
const MESSAGE: Record<number, FailureCode> = { 413: "too_large", 414: "too_large", 431: "too_large" };

/**
 * Not found, method not allowed, gone: the cause may be the address or one message's route. The outcomes of other
 * messages decide.
 */
const OF_ADDRESS: ReadonlySet<number> = new Set([404, 405, 410]);

/** The parts of a non-confirming response that show its cause. */
export interface Refusal {
  status: number;
  /** The start of the body. */
  body: string;
  retryAfter: string | undefined;
  /** The receiver's clock, as the header Date says. */
  date?: string | undefined;
  location: string | undefined;
  /** The body is a web page, which is why a success does not confirm. */
  page?: boolean;
}

/** `confirms`: statuses that the sink's configuration names, if it does. */
export function isConfirmed(status: number, confirms: readonly number[] | undefined): boolean {
  return confirms === undefined ? isSuccess(status) : confirms.includes(status);
}

const isSuccess = (status: number) => status >= 200 && status < 300;

/** Another server, such as a proxy, answers every message; perhaps only for some of the receiver's paths. */
const PAGE: [FailureCode, FailureKind] = ["unavailable", "route"];

/** The failure that a non-confirming response means. */
export function failureOfStatus({ status, body, retryAfter, date, location, page = false }: Refusal): Failure {
  const retryAfterMs = parseRetryAfterMs(retryAfter, receiverNow(date));
  const [code, kind] = page ? PAGE : notForGood(classifyStatus(status), retryAfterMs);
  const start = (page || isPage(body) ? titleOf(body) : body)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, 500);
  const text = isRedirect(status) && location !== undefined ? notFollowed(location, start) : start;
  return {
    code,
    kind,
    message: text === "" ? nameOf(status, page) : `${nameOf(status, page)}: ${text}`,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** The status as text; for a 2xx, the reason why it does not confirm. */
function nameOf(status: number, page: boolean): string {
  if (!isSuccess(status)) return `HTTP ${status}`;
  return page
    ? `HTTP ${status} with a web page, not a confirmation`
    : `HTTP ${status} is not one of the statuses that confirm (setting confirms)`;
}

/** The connection ended, rather than the wait. */
export const LOST_LINE: ReadonlySet<string> = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

function classifyStatus(status: number): [FailureCode, FailureKind] {
  const environment = ENVIRONMENT[status];
  if (environment) return [environment, "environment"];
  // A redirect is not followed: the configured address is wrong, and neither a retry nor another message helps.
  if (isRedirect(status)) return ["unavailable", "environment"];
  // Another server answers, such as a proxy with its own page.
  if (OF_ADDRESS.has(status) || isSuccess(status)) return ["unavailable", "ambiguous"];
  const rejected = status === 400 || status === 431 || (status >= 406 && status <= 422 && status !== 408);
  if (rejected) return [MESSAGE[status] ?? "rejected", "message"];
  if (status === 408) return ["timeout", "ambiguous"];
  return [status >= 500 ? "server_error" : "unknown", "ambiguous"];
}

/** A receiver that says when to try again does not reject the message for good (RFC 9110 says so of 413). */
function notForGood([code, kind]: [FailureCode, FailureKind], retryAfterMs?: number): [FailureCode, FailureKind] {
  return [code, kind === "message" && retryAfterMs !== undefined ? "ambiguous" : kind];
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** Without user or query, which may hold secrets. */
function notFollowed(location: string, body: string): string {
  const url = URL.parse(location);
  const target = url ? shownAddress(url) : location.replace(/[?#].*$/s, "");
  return `the redirect to ${target.slice(0, 200)} is not followed${body === "" ? "" : `; ${body}`}`;
}

/** A date in Retry-After is on the receiver's clock; ours may be an hour off. */
function receiverNow(date: string | undefined): number {
  const at = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isFinite(at) ? at : Date.now();
}

/** Accepts seconds or an HTTP date; capped at one hour, so that a wrong clock cannot stop the relay for a day. */
export function parseRetryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const seconds = secondsUntil(value, now);
  if (!Number.isFinite(seconds)) return undefined;
  return Math.min(Math.max(0, Math.round(seconds * 1000)), 3_600_000);
}

/** Date.parse takes "1.5" and "-5" for dates of 2001; one of HTTP begins with the name of its day. */
function secondsUntil(value: string, now: number): number {
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Number(value);
  return /^\s*[a-z]{3,9},? /i.test(value) ? (Date.parse(value) - now) / 1000 : Number.NaN;
}

/** The client's code where an answer did not begin in time. */
export const NO_ANSWER = "UND_ERR_HEADERS_TIMEOUT";
export const TIMEOUTS: ReadonlySet<string> = new Set([NO_ANSWER, "UND_ERR_BODY_TIMEOUT", "ETIMEDOUT"]);

/**
 * Classifies a request without a response. Before any byte was on a connection, the sink is at fault; afterwards the
 * message may have arrived, or may itself crash the receiver. `timeoutMs`: how long an answer was waited for.
 */
export function failureOfError(error: unknown, sent: boolean, timeoutMs?: number): Failure {
  const code = error instanceof Error && "code" in error ? String(error.code ?? "") : "";
  const noAnswer = code === NO_ANSWER && timeoutMs !== undefined;
  const message = noAnswer ? `no answer within ${formatWait(timeoutMs)}` : describeError(error, code);
  if (error instanceof RefusedAddressError) return { code: "unavailable", kind: "environment", message };
  if (!sent) return { code: "unreachable", kind: "environment", message };
  return { code: TIMEOUTS.has(code) ? "timeout" : "unreachable", kind: "ambiguous", message };
}

function formatWait(ms: number): string {
  return ms < 1000 ? `${ms} ms` : ms < 60_000 ? `${ms / 1000} s` : formatDuration(ms / 1000);
}
