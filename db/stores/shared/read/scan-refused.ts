import { AppError } from "#domain/errors.ts";

export function scanRefused(helpfulIndex: string): AppError {
  return new AppError(
    "filter_not_indexed",
    "This list would read the whole table. Narrow it by a state or a time range, or create an index that serves it.",
    { details: { index: helpfulIndex } },
  );
}
