import { TimeoutError } from "@platformatic/kafka";
import type { Failure, FailureCode, FailureKind } from "#domain/failure.ts";
import { tlsErrorWords } from "../tls-error-words.ts";

/**
 * The producer's reaction to a broker's answer for one partition. published: the batch is in the log. refresh: the
 * leader has moved, maybe after it had written the batch; look it up and send the same batch again. renew: the broker
 * no longer knows the producer; get a new identity and send again. split: one record may be to blame; send smaller
 * parts. unsure: it may have been written. fail: it was not written and will not be.
 */
export type Verdict = "published" | "refresh" | "renew" | "split" | "unsure" | "fail";

interface Meaning {
  name: string;
  verdict: Verdict;
  code: FailureCode;
  kind: FailureKind;
}

const meaning = (name: string, verdict: Verdict, code: FailureCode, kind: FailureKind): Meaning => ({
  name,
  verdict,
  code,
  kind,
});

/** Kafka's protocol error codes: https://kafka.apache.org/protocol#protocol_error_codes */
const MEANINGS: Record<number, Meaning> = {
  [-1]: meaning("UNKNOWN_SERVER_ERROR", "unsure", "server_error", "ambiguous"),
  2: meaning("CORRUPT_MESSAGE", "split", "rejected", "ambiguous"),
  3: meaning("UNKNOWN_TOPIC_OR_PARTITION", "refresh", "unroutable", "route"),
  5: meaning("LEADER_NOT_AVAILABLE", "refresh", "unavailable", "route"),
  6: meaning("NOT_LEADER_OR_FOLLOWER", "refresh", "unavailable", "route"),
  7: meaning("REQUEST_TIMED_OUT", "unsure", "timeout", "route"),
  8: meaning("BROKER_NOT_AVAILABLE", "refresh", "unavailable", "environment"),
  9: meaning("REPLICA_NOT_AVAILABLE", "refresh", "unavailable", "route"),
  10: meaning("MESSAGE_TOO_LARGE", "split", "too_large", "message"),
  17: meaning("INVALID_TOPIC_EXCEPTION", "fail", "unroutable", "message"),
  18: meaning("RECORD_LIST_TOO_LARGE", "split", "too_large", "message"),
  19: meaning("NOT_ENOUGH_REPLICAS", "fail", "unavailable", "route"),
  20: meaning("NOT_ENOUGH_REPLICAS_AFTER_APPEND", "unsure", "unavailable", "route"),
  29: meaning("TOPIC_AUTHORIZATION_FAILED", "fail", "auth", "route"),
  31: meaning("CLUSTER_AUTHORIZATION_FAILED", "fail", "auth", "environment"),
  // Our clock or the broker's is far off; no message is to blame.
  32: meaning("INVALID_TIMESTAMP", "split", "rejected", "route"),
  33: meaning("UNSUPPORTED_SASL_MECHANISM", "fail", "auth", "environment"),
  34: meaning("ILLEGAL_SASL_STATE", "fail", "auth", "environment"),
  42: meaning("INVALID_REQUEST", "split", "rejected", "message"),
  43: meaning("UNSUPPORTED_FOR_MESSAGE_FORMAT", "fail", "rejected", "route"),
  44: meaning("POLICY_VIOLATION", "split", "rejected", "message"),
  45: meaning("OUT_OF_ORDER_SEQUENCE_NUMBER", "renew", "unavailable", "environment"),
  46: meaning("DUPLICATE_SEQUENCE_NUMBER", "published", "unknown", "ambiguous"),
  47: meaning("INVALID_PRODUCER_EPOCH", "renew", "unavailable", "environment"),
  49: meaning("INVALID_PRODUCER_ID_MAPPING", "renew", "unavailable", "environment"),
  54: meaning("SECURITY_DISABLED", "fail", "auth", "environment"),
  56: meaning("KAFKA_STORAGE_ERROR", "refresh", "unavailable", "route"),
  58: meaning("SASL_AUTHENTICATION_FAILED", "fail", "auth", "environment"),
  59: meaning("UNKNOWN_PRODUCER_ID", "renew", "unavailable", "environment"),
  72: meaning("LISTENER_NOT_FOUND", "refresh", "unavailable", "environment"),
  74: meaning("FENCED_LEADER_EPOCH", "refresh", "unavailable", "environment"),
  75: meaning("UNKNOWN_LEADER_EPOCH", "refresh", "unavailable", "environment"),
  76: meaning("UNSUPPORTED_COMPRESSION_TYPE", "fail", "rejected", "route"),
  87: meaning("INVALID_RECORD", "split", "rejected", "message"),
  89: meaning("THROTTLING_QUOTA_EXCEEDED", "fail", "throttled", "environment"),
  90: meaning("PRODUCER_FENCED", "renew", "unavailable", "environment"),
  100: meaning("UNKNOWN_TOPIC_ID", "refresh", "unavailable", "route"),
};

const COORDINATOR = new Set([14, 15, 16, 51]);

export function verdictOf(errorCode: number): Verdict {
  if (errorCode === 0) return "published";
  return MEANINGS[errorCode]?.verdict ?? "unsure";
}

/** The failure for a broker's answer once nothing more is tried. `detail`: the broker's own words. */
export function failureOfCode(errorCode: number, where: string, detail: string | null = null): Failure {
  const known = MEANINGS[errorCode];
  const text = detail === null || detail === "" ? "" : `: ${firstLine(detail)}`;
  const name = known?.name ?? `the error code ${errorCode}`;
  const message = `Kafka answered ${name} for ${where}${text}`;
  if (known) return { code: known.code, kind: known.kind, message };
  if (COORDINATOR.has(errorCode)) return { code: "unavailable", kind: "environment", message };
  return { code: "unknown", kind: "ambiguous", message };
}

const REFUSED_CERTIFICATE = /ALERT_(?:CERTIFICATE|BAD_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED|UNSUPPORTED_CERTIFICATE)/;

/** Failure of a request without an answer. `sent`: part of it may have reached the broker. */
export function failureOfError(error: unknown, sent: boolean): Failure {
  const chain = chainOf(error);
  const message = describe(chain);
  if (chain.some(isAuthentication)) return { code: "auth", kind: "environment", message };
  const answer = chain.map((part) => part.apiCode).find((code) => typeof code === "number" && code !== 0);
  if (typeof answer === "number") return failureOfCode(answer, "the request");
  if (!sent) return { code: "unreachable", kind: "environment", message };
  return { code: isTimeout(error) ? "timeout" : "unreachable", kind: "ambiguous", message };
}

export function isTimeout(error: unknown): boolean {
  return chainOf(error).some((part) => part instanceof TimeoutError || part.code === "ETIMEDOUT");
}

type Part = Error & { code?: unknown; apiId?: unknown; apiCode?: unknown };

/** The error, its causes and its aggregated errors, outermost first. */
function chainOf(error: unknown): Part[] {
  if (!(error instanceof Error)) return [];
  const inner = error instanceof AggregateError ? error.errors : [];
  return [error as Part, ...chainOf(error.cause), ...inner.flatMap(chainOf)];
}

function isAuthentication({ code, apiId }: Part): boolean {
  if (code === "PLT_KFK_AUTHENTICATION" || apiId === "SASL_AUTHENTICATION_FAILED") return true;
  return typeof code === "string" && REFUSED_CERTIFICATE.test(code);
}

/** The outermost error says where, the innermost why. Neither contains a credential. */
function describe(chain: Part[]): string {
  const outer = chain[0];
  if (outer === undefined) return "the request failed";
  const inner = chain.findLast(({ message }) => message !== "") ?? outer;
  const why = tlsErrorWords(inner) ?? inner.message;
  const parts = outer === inner ? [why] : [outer.message.replace(/\.$/, ""), why];
  return parts.map(firstLine).filter(Boolean).join(": ") || "the request failed";
}

function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? "").trim().slice(0, 300);
}
