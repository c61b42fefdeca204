import type { Failure, FailureCode, FailureKind } from "#domain/failure.ts";
import { RefusedAddressError } from "./public-address.ts";

/** Statuses that mean the endpoint is unavailable for every message: hold, and use up no attempt. */
const ENVIRONMENT: Record<number, FailureCode> = {
  401: "auth",
  403: "auth",
  407: "auth",
  429: "throttled",
  502: "unavailable",
  503: "unavailable",
  504: "unavailable",
};

/** Statuses that reject this message permanently; all others below 500 are ambiguous. */
const MESSAGE: Record<number, FailureCode> = { 413: "too_large", 414: "too_large" };

/** Null when the endpoint confirmed the message. `body` is the start of the response, for the error text. */
export function failureOfStatus(status: number, body: string, retryAfter: string | undefined): Failure | null {
  if (status >= 200 && status < 300) return null;
  const [code, kind] = classifyStatus(status);
  const text = body.replace(/\s+/g, " ").trim().slice(0, 500);
  const retryAfterMs = parseRetryAfterMs(retryAfter, Date.now());
  return {
    code,
    kind,
    message: text === "" ? `HTTP ${status}` : `HTTP ${status}: ${text}`,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function classifyStatus(status: number): [FailureCode, FailureKind] {
  const environment = ENVIRONMENT[status];
  if (environment) return [environment, "environment"];
  // A redirect is not followed: the configured address is wrong, and neither a retry nor another message helps.
  if (status >= 300 && status < 400) return ["unavailable", "environment"];
  const rejected = status === 400 || (status >= 405 && status <= 422 && status !== 408 && status !== 421);
  if (rejected) return [MESSAGE[status] ?? "rejected", "message"];
  if (status === 408) return ["timeout", "ambiguous"];
  // May concern the address or one message's route; the outcomes of other messages decide.
  if (status === 404) return ["unavailable", "ambiguous"];
  return [status >= 500 ? "server_error" : "unknown", "ambiguous"];
}

/** Accepts seconds or an HTTP date; capped at one hour, so that a wrong clock cannot stop the relay for a day. */
export function parseRetryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const seconds = /^\s*\d+\s*$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000;
  if (!Number.isFinite(seconds)) return undefined;
  return Math.min(Math.max(0, Math.round(seconds * 1000)), 3_600_000);
}

const TIMEOUTS = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT", "ETIMEDOUT"]);

/**
 * Classifies a request without a response. Before any byte was on a connection, the sink is at fault; afterwards the
 * message may have arrived, or may itself crash the receiver.
 */
export function failureOfError(error: unknown, sent: boolean): Failure {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = describeError(error, code);
  if (error instanceof RefusedAddressError) return { code: "unavailable", kind: "environment", message };
  if (!sent) return { code: "unreachable", kind: "environment", message };
  return { code: TIMEOUTS.has(code) ? "timeout" : "unreachable", kind: "ambiguous", message };
}

/** Node's message for a failed connection contains the address, never a header or a query string. */
function describeError(error: unknown, code: string): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0], code);
  const text = error instanceof Error && error.message !== "" ? error.message : "the request failed";
  const line = text.split("\n", 1)[0] ?? text;
  return code === "" || line.includes(code) ? line : `${line} (${code})`;
}
