import { z } from "zod";

/**
 * A JSON number with the digits that it was given: as a double, 12.10 would lose its zero and a ledger number its end.
 */
export interface RawNumber {
  readonly rawJSON: string;
}

// TypeScript's library does not know these two of ECMAScript yet.
const json = JSON as typeof JSON & { rawJSON(text: string): RawNumber; isRawJSON(value: unknown): boolean };

export const exact = (digits: string): RawNumber => json.rawJSON(digits);

/** Raw where the producer writes it; parsed where the schema reads what was written. */
export const exactNumber = z.custom<RawNumber | number>(
  (value) => typeof value === "number" || json.isRawJSON(value),
  "expected a number",
);
