import { AppError, type ErrorCode, isAppError } from "#domain/errors.ts";

/** Why a store failed, where `AppError.code` alone does not say it. */
export type StoreTrouble =
  /** No answer: the store is down, or the connection was lost. Every other value is an answer. */
  | "unreachable"
  /** The connection was lost during the commit: the change may have been made. */
  | "commit_in_doubt"
  /** Another session holds a lock that the statement needs. */
  | "locked"
  /** A schema, table or column of the statement does not exist. */
  | "missing"
  /** The store's user may not do it. */
  | "forbidden"
  /** Only a scan of a large table could answer, so the store was not asked; see ScanRefused. */
  | "unindexed"
  /** Any other answer of the store. */
  | "refused";

/** The error that every engine throws. `cause` is the driver's own error, for the log only; do not branch on it. */
export class StoreError extends AppError {
  readonly trouble: StoreTrouble;

  constructor(
    trouble: StoreTrouble,
    code: ErrorCode,
    message: string,
    options: ConstructorParameters<typeof AppError>[2],
  ) {
    super(code, message, options);
    this.trouble = trouble;
  }
}

/** Checks the shape as well as the class: a bundle may contain this module twice. */
function isStoreError(error: unknown): error is StoreError {
  return error instanceof StoreError || (isAppError(error) && "trouble" in error);
}

export function troubleOf(error: unknown): StoreTrouble | null {
  return isStoreError(error) ? error.trouble : null;
}

/** True if the store could not be reached; false if it refused the request. */
export function isUnreachable(error: unknown): boolean {
  const trouble = troubleOf(error);
  return trouble === "unreachable" || trouble === "commit_in_doubt";
}
