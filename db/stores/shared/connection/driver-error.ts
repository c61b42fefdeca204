import { DrizzleQueryError } from "drizzle-orm";

/** The driver's own error: Drizzle's wrapper has the statement and its parameters in its message. */
export function causeOf(error: unknown): unknown {
  return error instanceof DrizzleQueryError ? (error.cause ?? new Error("A query failed.")) : error;
}

/** A SQLSTATE, a socket's code, or the driver's name of an error. */
export function errorCode(thrown: unknown): string | undefined {
  const error = causeOf(thrown);
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

export function throwCause(error: unknown): never {
  throw causeOf(error);
}

/** Certificate files are read at connect time; socket errors name other system calls. */
export function isFileError({ syscall, code }: NodeJS.ErrnoException): boolean {
  return (syscall === "open" || syscall === "read") && /^(ENOENT|EACCES|EPERM|EISDIR|ENOTDIR|EMFILE)$/.test(code ?? "");
}
