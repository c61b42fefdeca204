import { AppError } from "#domain/errors.ts";

export function scanRefused(helpfulIndex: string): AppError {
  return new AppError(
    "filter_not_indexed",
    "This list would read the whole table. Create an index that serves it, or choose a state or a time range that one serves.",
    { details: { index: helpfulIndex } },
  );
}
