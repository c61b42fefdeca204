import { askingWith } from "#db/stores/shared/connection/asking-with.ts";
import { type AppError, type ErrorCode, isAppError } from "#domain/errors.ts";
import { StoreError, type StoreTrouble } from "../../port/store-error.ts";
import { CommitInDoubtError } from "../../shared/connection/commit-in-doubt-error.ts";
import { cancelledBy } from "./cancelled.ts";

/** Runs `work` and converts its errors to StoreError. `of` names the subject, e.g. `outbox orders`. */
export const asking = askingWith(toStoreError);

const FORBIDDEN = [
  "AccessDeniedException",
  "UnrecognizedClientException",
  "InvalidSignatureException",
  "ExpiredTokenException",
  "MissingAuthenticationTokenException",
  "IncompleteSignatureException",
];
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
    return [
      "commit_in_doubt",
      "unavailable",
      `The connection was lost during a change to ${of}: it may have been made.`,
    ];
  if (name === "CredentialsProviderError")
    return ["forbidden", "unavailable", `No AWS credentials were found for ${of}.`];
  if (FORBIDDEN.includes(name))
    return ["forbidden", "forbidden", `The AWS credentials do not allow this for ${of} (${name}).`];
  if (name === "ResourceNotFoundException")
    return ["missing", "unavailable", `A table or an index of ${of} does not exist.`];
  if (BUSY.includes(name))
    return ["refused", "unavailable", `DynamoDB throttles ${of} (${name}); try again in a moment.`];
  if (CONFLICT.includes(name) || cancelledBy(error)?.conflict)
    return ["locked", "locked", `Another transaction is changing the same items of ${of}; try again in a moment.`];
  if (isUnanswered(error)) return ["unreachable", "unavailable", `DynamoDB does not answer for ${of}.`];
  return ["refused", "internal", "Internal error."];
}

/** No answer of DynamoDB itself: a refused, reset or silent connection, or a failure on the server's side. */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { $metadata: metadata } = error as { $metadata?: { httpStatusCode?: number } };
  const status = metadata?.httpStatusCode;
  if (status !== undefined) return status >= 500;
  return !(error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError);
}
