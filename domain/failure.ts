/** Why an attempt failed, as the sink derives it from its client's error codes. */
export const FAILURE_CODES = [
  "unreachable",
  "auth",
  "throttled",
  "unavailable",
  "timeout",
  "server_error",
  "too_large",
  "rejected",
  "unroutable",
  "serialisation",
  "crash",
  "unknown",
] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

/**
 * environment: the sink is unusable now; no message is to blame and no attempt is used up. route: the same, but known
 * to concern no more than the message's topic, queue, stream or key; others may work. message: the sink will never
 * accept this message as it is. ambiguous: it may be any of them, and the message may have arrived.
 */
export type FailureKind = "environment" | "route" | "message" | "ambiguous";

export interface Failure {
  code: FailureCode;
  kind: FailureKind;
  /** For people; the first line is enough. Without secrets. */
  message: string;
  /** Earliest next attempt that the sink asked for (Retry-After), in ms from now. */
  retryAfterMs?: number;
}

/** Failure of a message with which a relay died, as an attempt and as a dead letter. */
export const CRASH: Failure = {
  code: "crash",
  kind: "message",
  message: "The relay's process died while this message was being published alone.",
};
