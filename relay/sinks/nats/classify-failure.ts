import type { Failure, FailureCode, FailureKind } from "#domain/failure.ts";
import { tlsErrorWords } from "../tls-error-words.ts";

/** The server's error for a publish that no stream stored, or for an API request. */
export interface ApiFault {
  code: number;
  err_code: number;
  description: string;
}

type Verdict = [FailureCode, FailureKind];

/** JetStream's own numbers (server/errors.json of nats-server). */
const VERDICTS: Record<number, Verdict> = {
  10002: ["throttled", "environment"], // the account's limits
  10008: ["unavailable", "environment"], // the cluster has no leader
  10009: ["unavailable", "environment"],
  10023: ["throttled", "environment"], // out of resources
  10028: ["throttled", "environment"], // out of memory
  10039: ["unavailable", "environment"], // JetStream is not enabled for the account
  10047: ["throttled", "environment"], // out of storage
  10054: ["too_large", "message"], // more than the stream's max_msg_size
  10076: ["unavailable", "environment"], // JetStream is not enabled
  10097: ["too_large", "message"], // headers
  10109: ["unavailable", "route"], // the stream is sealed
  10158: ["throttled", "route"], // an earlier try with the same id is in flight
  10167: ["throttled", "environment"], // too many requests
};
const NOT_STORED = 10077;

/** Why a stream did not store a message. */
export function failureOfAck(subject: string, { code, err_code, description }: ApiFault): Failure {
  const [failure, kind] = err_code === NOT_STORED ? verdictOfStore(description) : verdictOf(code, err_code);
  return {
    code: failure,
    kind,
    message: `No stream stored "${subject}": ${oneLine(description)} (${err_code}).`,
  };
}

function verdictOf(code: number, errorCode: number): Verdict {
  const known = VERDICTS[errorCode];
  if (known) return known;
  if (code === 503) return ["unavailable", "environment"];
  return code >= 500 ? ["server_error", "ambiguous"] : ["rejected", "message"];
}

/** Limits of a stream, or of a subject in it, do not concern other streams; the server's storage does. */
function verdictOfStore(description: string): Verdict {
  if (/maximum (messages|bytes)/i.test(description)) return ["throttled", "route"];
  if (/resource|storage/i.test(description)) return ["throttled", "environment"];
  return ["unavailable", "environment"];
}

/** Failure to connect: nothing was sent. */
export function failureOfOpen(error: unknown): Failure {
  const name = error instanceof Error ? error.name : "";
  const auth = /^(AuthorizationError|UserAuthenticationExpiredError|PermissionViolationError)$/.test(name);
  return { code: auth ? "auth" : "unreachable", kind: "environment", message: describe(error) };
}

/** The connection was lost while a message waited for its answer. */
export function failureOfLoss(error: unknown): Failure {
  const why = error === undefined ? "the server closed it" : describe(error);
  return { code: "unreachable", kind: "ambiguous", message: `The connection was lost before the confirmation: ${why}` };
}

/** Result of looking for a subject's stream after a publish got no responders. */
export type StreamLookup =
  | { stream: string }
  | { stream: null }
  /** JetStream does not respond either, or says why it does not work. */
  | { noJetStream: string }
  | { unknown: string };

export function failureOfNoResponders(subject: string, lookup: StreamLookup): Failure {
  if ("noJetStream" in lookup) {
    return {
      code: "unavailable",
      kind: "environment",
      message: `JetStream is not available: ${lookup.noJetStream}.`,
    };
  }
  if ("unknown" in lookup) {
    const message = `No stream answers on the subject "${subject}", and looking for one failed: ${lookup.unknown}.`;
    return { code: "unroutable", kind: "route", message };
  }
  if (lookup.stream === null) {
    return { code: "unroutable", kind: "route", message: `No stream takes the subject "${subject}".` };
  }
  const message = `The stream ${lookup.stream} takes the subject "${subject}", but does not answer: it may have no leader.`;
  return { code: "unavailable", kind: "route", message };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, 500);
}

/** The innermost reason where the client wraps it. Messages name hosts and subjects, never a password. */
export function describe(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describe(error.errors[0]);
  if (!(error instanceof Error)) return "the connection failed";
  if (error.cause instanceof Error && error.cause.message !== "") return describe(error.cause);
  const ofTls = tlsErrorWords(error);
  if (ofTls !== null) return ofTls;
  const text = oneLine(error.message) || error.name;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return code === "" || text.includes(code) ? text : `${text} (${code})`;
}
