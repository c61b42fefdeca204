/**
 * `not_in_transaction`: the handle is not an open transaction. `unusable_table`: the database refused the statement for
 * the table that it finds; `cause` is its error. Nothing has been written when one of these is thrown, except over MySQL
 * other events of a list.
 */
export type ClientErrorCode =
  | "not_in_transaction"
  | "unusable_table"
  | "unknown_type"
  | "invalid_payload"
  | "too_large"
  | "invalid_input"
  | "invalid_message"
  | "bad_signature";

/** Every error that this package itself raises. `message` is a sentence for the developer; it holds no payload. */
export class ClientError extends Error {
  override readonly name = "OutboxClientError";
  readonly code: ClientErrorCode;

  constructor(code: ClientErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** By shape: two copies of this package in one process have two classes. */
export function isClientError(error: unknown, code?: ClientErrorCode): error is ClientError {
  if (!(error instanceof Error) || error.name !== "OutboxClientError") return false;
  return code === undefined || (error as ClientError).code === code;
}
