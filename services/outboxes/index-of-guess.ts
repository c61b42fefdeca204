import type { MessagePage } from "#db/stores/port/outbox-reader.ts";
import { AppError } from "#domain/errors.ts";
import type { OutboxHandle } from "../runtime.ts";

export const AFTER_ANSWER =
  "Its SQL follows the words of the status, which are only guessed so far: answer the question about the mapping first";

const REFUSED =
  "This list would read the whole table. Choose a state or a time range that an index serves. The one for this list follows the words of the status, which are only guessed so far: answer the question about the mapping first.";

/**
 * True for an index of rows with certain words while nobody has said which words there are: it would list all that such
 * a column may have, and serve no statement once the question is answered.
 */
export function isOfGuess({ mapping, recognition }: OutboxHandle, { sql }: { sql: string }): boolean {
  const { lifecycle } = mapping;
  return recognition.question !== null && lifecycle.kind === "status" && sql.includes(" WHERE ");
}

/** The page, or its refusal, without the SQL of an index of guessed words. */
export async function withoutGuessedIndex(handle: OutboxHandle, read: Promise<MessagePage>): Promise<MessagePage> {
  try {
    const page = await read;
    const { partial } = page;
    return partial && isOfGuess(handle, { sql: partial.index })
      ? { ...page, partial: { ...partial, index: "" } }
      : page;
  } catch (error) {
    throw isRefusalOfGuess(handle, error) ? new AppError("filter_not_indexed", REFUSED, { details: {} }) : error;
  }
}

function isRefusalOfGuess(handle: OutboxHandle, error: unknown): boolean {
  if (!(error instanceof AppError) || error.code !== "filter_not_indexed") return false;
  const index = (error.details as { index?: unknown } | undefined)?.index;
  return typeof index === "string" && isOfGuess(handle, { sql: index });
}
