import { AppError, type ErrorCode, isAppError } from "#domain/errors.ts";

/** Why a store could not do what it was asked, where `AppError.code` alone does not say it. */
export type StoreTrouble =
  /** Nothing came back: the store is down, or the connection was lost. Anything else is an answer. */
  | "unreachable"
  /** The connection was lost during the commit: the change may have been made. */
  | "commit_in_doubt"
  /** Another session holds a lock that the statement needs. */
  | "locked"
  /** A schema, table or column that the statement names is not there. */
  | "missing"
  /** The store's user may not do it. */
  | "forbidden"
  /** Any other answer of the store. */
  | "refused";

/** What every engine throws. `cause` is the driver's own error: for the log, never to be judged by. */
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

/** By its shape: a bundle may hold this module twice. */
function isStoreError(error: unknown): error is StoreError {
  return error instanceof StoreError || (isAppError(error) && "trouble" in error);
}

export function troubleOf(error: unknown): StoreTrouble | null {
  return isStoreError(error) ? error.trouble : null;
}

/** True when the store could not be asked at all, as opposed to having refused the question. */
export function isUnreachable(error: unknown): boolean {
  const trouble = troubleOf(error);
  return trouble === "unreachable" || trouble === "commit_in_doubt";
}
