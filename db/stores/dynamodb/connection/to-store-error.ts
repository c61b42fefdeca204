import { askingWith } from "#db/stores/shared/connection/asking-with.ts";
import { type AppError, type ErrorCode, isAppError, messageOf } from "#domain/errors.ts";
import { StoreError, type StoreTrouble } from "../../port/store-error.ts";
import { CommitInDoubtError } from "../../shared/connection/commit-in-doubt-error.ts";
import { cancelledBy } from "./cancelled.ts";

/** Runs `work` and converts its errors to StoreError. `of` names the subject, e.g. `outbox orders`. */
export const asking = askingWith(toStoreError);

const FORBIDDEN: Record<string, (of: string, message: string) => string> = {
  AccessDeniedException: (of) => `The AWS credentials do not allow this for ${of}`,
  MissingAuthenticationTokenException: (of) => `The AWS credentials do not allow this for ${of}`,
  IncompleteSignatureException: (of) => `The AWS credentials do not allow this for ${of}`,
  UnrecognizedClientException: (of) =>
    `DynamoDB does not know the AWS access key or the session token used for ${of}: correct them`,
  ExpiredTokenException: (of) =>
    `The AWS credentials for ${of} have expired: renew them, and restart worker and console if they get them from the environment`,
  InvalidSignatureException: (of, message) =>
    OF_ANOTHER_TIME.test(message)
      ? `The clock of this machine is too far from that of DynamoDB, which refuses the signatures for ${of}: set it`
      : `The secret key of the AWS credentials for ${of} is wrong, or a proxy changes the requests`,
};
const OF_ANOTHER_TIME = /signature (?:expired|not yet current)/i;
const BUSY = [
  "ProvisionedThroughputExceededException",
  "ThrottlingException",
  "RequestLimitExceeded",
  "LimitExceededException",
];
const CONFLICT = ["TransactionConflictException", "TransactionInProgressException", "ReplicatedWriteConflictException"];

export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "";
}

function toStoreError(error: unknown, of: string): AppError {
  if (isAppError(error)) return error;
  const [trouble, code, message] = judge(error, of);
  return new StoreError(trouble, code, message, { cause: error });
}

function judge(error: unknown, of: string): [StoreTrouble, ErrorCode, string] {
  const name = nameOf(error);
  if (error instanceof CommitInDoubtError)
    return ["commit_in_doubt", "unavailable", `DynamoDB did not confirm a change to ${of}: it may have been made.`];
  if (name === "CredentialsProviderError")
    return ["forbidden", "unavailable", `No AWS credentials were found for ${of}.`];
  const refusal = Object.hasOwn(FORBIDDEN, name) ? FORBIDDEN[name] : undefined;
  if (refusal) return ["forbidden", "forbidden", `${refusal(of, messageOf(error))} (${name}).`];
  if (name === "ResourceNotFoundException")
    return ["missing", "unavailable", `A table or an index of ${of} does not exist.`];
  const throttled = BUSY.includes(name) ? name : cancelledBy(error)?.throttled;
  if (throttled) return ["refused", "unavailable", `DynamoDB throttles ${of} (${throttled}); try again in a moment.`];
  if (CONFLICT.includes(name) || cancelledBy(error)?.conflict)
    return ["locked", "locked", `Another transaction is changing the same items of ${of}; try again in a moment.`];
  const index = name === "ValidationException" ? stateOfIndex(messageOf(error)) : null;
  if (index) return ["refused", "unavailable", `The index ${index.name}, by which ${of} is read, ${index.state}.`];
  if (isUnreadable(error))
    return [
      "unreachable",
      "unavailable",
      `The answer for ${of} cannot be read: it was cut off, or it comes from a proxy and not from DynamoDB.`,
    ];
  const status = statusOf(error) ?? 0;
  if (status >= 500) return ["unreachable", "unavailable", `DynamoDB fails for ${of} (HTTP ${status}, ${name}).`];
  if (isUnanswered(error)) return ["unreachable", "unavailable", `DynamoDB does not answer for ${of}.`];
  return ["refused", "internal", unknownError(error, of)];
}

/** DynamoDB refuses a read by an index that was deleted, or that it still fills. Its words have only the name. */
function stateOfIndex(message: string): { name: string; state: string } | null {
  const [, gone] = /does not have the specified index: (\S+)/.exec(message) ?? [];
  if (gone) return { name: gone, state: "does not exist" };
  const [, filling] = /backfilling global secondary index: (\S+)/.exec(message) ?? [];
  return filling ? { name: filling, state: "is still being built" } : null;
}

/** Only the name: the words may contain data. */
function unknownError(error: unknown, of: string): string {
  return statusOf(error) === undefined
    ? "Internal error."
    : `DynamoDB answered for ${of} with an error (${nameOf(error)}); the log has its words.`;
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode;
}

/** Something was answered that is no answer of DynamoDB, whose errors carry a fault. A change may have been made. */
function isUnreadable(error: unknown): boolean {
  const status = statusOf(error);
  return status !== undefined && status < 500 && !("$fault" in (error as object));
}

/**
 * No whole answer of DynamoDB itself: a refused, reset or silent connection, one that ends in the middle of an answer, or
 * a failure on the server's side.
 */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const status = statusOf(error);
  if (status !== undefined) return status >= 500 || isUnreadable(error);
  return !(error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError);
}
