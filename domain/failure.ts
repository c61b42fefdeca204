/** What went wrong with one attempt, decided by the sink from its client's own codes. */
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
 * environment: the sink cannot be used now, no message is to blame, nothing is burned;
 * message: this message will never be accepted as it is;
 * ambiguous: it may be either, and it may have arrived.
 */
export type FailureKind = "environment" | "message" | "ambiguous";

export interface Failure {
  code: FailureCode;
  kind: FailureKind;
  /** For people, one line first, without secrets. */
  message: string;
  /** Earliest time for the next try as the sink asked (Retry-After), in ms from now. */
  retryAfterMs?: number;
}
