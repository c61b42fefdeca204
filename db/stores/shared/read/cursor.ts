import { AppError } from "#domain/errors.ts";

/** Prefix of a cursor's first text if the first key may be null; shows whether it is. */
export const NULL_MARK = "n";
export const VALUE_MARK = "v";

const BAD_CURSOR = "This page link is damaged or belongs to another list; start again from the first page.";

/** `scope` ties a cursor to its list; a cursor of another tab or filter is refused. */
export function encodeCursor(scope: string, values: readonly string[]): string {
  return Buffer.from(JSON.stringify([scope, ...values]), "utf8").toString("base64url");
}

/** Throws invalid_input if `encodeCursor` did not make it for this list. */
export function decodeCursor(cursor: string, scope: string, length: number): string[] {
  const parsed = parse(cursor);
  const valid =
    Array.isArray(parsed) && parsed.length === length + 1 && parsed.every((part) => typeof part === "string");
  if (!valid || parsed[0] !== scope) throw badCursorError();
  return parsed.slice(1);
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function badCursorError(): AppError {
  return new AppError("invalid_input", BAD_CURSOR);
}
