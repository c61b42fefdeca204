export type EmbeddedPostgresErrorCode =
  | "unsupported_platform"
  | "binaries_missing"
  | "no_space"
  | "no_permission"
  | "port_taken"
  | "already_running"
  | "initdb_failed"
  | "damaged"
  | "stopped"
  | "start_failed";

/** The message is a sentence for the person at the terminal; it never contains the password. */
export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** How to start over and what is then lost, as a sentence. */
export function beginAnew(root: string): string {
  return `Restore ${root} from a copy, or delete it to start with an empty database. That loses what the demo shop or the console recorded there (samples, findings); your own databases are not touched.`;
}

/** The start was aborted before it completed. */
export function stoppedError(): EmbeddedPostgresError {
  return new EmbeddedPostgresError("stopped", "The start of the embedded Postgres was stopped.");
}

/** Data that Postgres cannot run on. `reason`: Postgres' own words. */
export function damagedError(root: string, reason: string, options?: ErrorOptions): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    "damaged",
    `The embedded Postgres in ${root} is damaged: ${reason}. ${beginAnew(root)}`,
    options,
  );
}

/** Turns file-system errors into sentences; any other error is returned unchanged. */
export function explainFileError(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new EmbeddedPostgresError(
      "no_space",
      `There is no disk space left for Postgres in ${path}. Free some space and start again.`,
      {
        cause: error,
      },
    );
  }
  if (code === "EROFS") {
    return new EmbeddedPostgresError(
      "no_permission",
      `${path}, where the embedded Postgres keeps its data, is on a read-only file system. Name another folder in OUTBOX_DATA_DIR.`,
      { cause: error },
    );
  }
  if (code === "EACCES" || code === "EPERM") {
    return new EmbeddedPostgresError(
      "no_permission",
      `This user may not write to ${path}, where the embedded Postgres keeps its data. Change its owner, or remove it if an earlier start as another user made it.`,
      { cause: error },
    );
  }
  return error;
}
