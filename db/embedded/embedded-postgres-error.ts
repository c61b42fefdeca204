export type EmbeddedPostgresErrorCode =
  | "unsupported_platform"
  | "binaries_missing"
  | "no_space"
  | "no_permission"
  | "port_taken"
  | "already_running"
  | "initdb_failed"
  | "start_failed";

/** The message is a sentence for the person at the terminal; it never holds the password. */
export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Turns the file system's refusals into sentences; anything else passes through as it is. */
export function explainFileError(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new EmbeddedPostgresError(
      "no_space",
      `There is no disk space left for Postgres in ${path}. Free some and start again.`,
      {
        cause: error,
      },
    );
  }
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") {
    return new EmbeddedPostgresError(
      "no_permission",
      `This user may not write to ${path}, where the embedded Postgres keeps its data. Change its owner, or remove it if an earlier start as another user made it.`,
      { cause: error },
    );
  }
  return error;
}
