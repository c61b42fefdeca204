/** Every code that may cross HTTP. The status of each is in `ERROR_STATUS`. */
export const ERROR_CODES = [
  "invalid_input",
  "unauthenticated",
  "forbidden",
  "not_found",
  "conflict",
  "in_flight",
  "wrong_state",
  "locked",
  "body_too_large",
  "filter_not_indexed",
  "too_many_requests",
  "unavailable",
  "no_monitor",
  "query_timeout",
  "internal",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export const ERROR_STATUS: Record<ErrorCode, number> = {
  invalid_input: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  in_flight: 409,
  wrong_state: 409,
  locked: 409,
  body_too_large: 413,
  filter_not_indexed: 422,
  too_many_requests: 429,
  unavailable: 503,
  no_monitor: 503,
  query_timeout: 503,
  internal: 500,
};

/** An error an operator may read: `message` is a sentence without secrets, SQL or connection strings. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, options: { details?: Record<string, unknown>; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
  }
}

/** What a thrown value says of itself. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

export function isAppError(error: unknown): error is AppError {
  return error instanceof AppError || (error instanceof Error && error.name === "AppError" && "code" in error);
}

const OF_WHOLE_RUN: readonly ErrorCode[] = ["unavailable", "internal", "forbidden", "query_timeout"];

/** True for a failure that does not depend on the message: the rest of an operation would meet it too. */
export function concernsWholeRun({ code }: Pick<AppError, "code">): boolean {
  return OF_WHOLE_RUN.includes(code);
}

/** Makes any error fit for HTTP: one that is not an AppError becomes `internal`, without its message. */
export function toAppError(error: unknown): AppError {
  return isAppError(error) ? error : new AppError("internal", "Internal error.", { cause: error });
}

/** Invalid settings: all problems at once, each with its path. Fatal at start. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.length === 1 ? problems[0] : `${problems.length} problems:\n- ${problems.join("\n- ")}`);
    this.problems = problems;
  }
}
