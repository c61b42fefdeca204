import type { Figure } from "#contracts/common.ts";

/** "At least" first: it stays true of a sum, whose other parts may be estimates. */
const LEAST_EXACT_FIRST: readonly Figure["precision"][] = ["capped", "estimate", "exact"];

/**
 * A sum is as exact as its least exact part. A part that is not known makes it "at least", and "at least 0" is not
 * known.
 */
export function sumFigures(figures: readonly Figure[]): Figure {
  const known = figures.filter((figure) => figure.precision !== "unknown");
  const value = known.reduce((sum, figure) => sum + figure.value, 0);
  if (known.length < figures.length) return { value, precision: value === 0 ? "unknown" : "capped" };
  const precision = LEAST_EXACT_FIRST.find((candidate) => known.some((figure) => figure.precision === candidate));
  return { value, precision: precision ?? "exact" };
}
