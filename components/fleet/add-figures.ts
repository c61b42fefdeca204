import type { Figure } from "#contracts/common.ts";

const LEAST_EXACT_FIRST: readonly Figure["precision"][] = ["capped", "estimate", "exact"];

/**
 * A sum is as exact as its least exact part. An unknown part adds nothing and makes the sum "at least"; the sum is
 * unknown only if every part is.
 */
export function addFigures(figures: readonly Figure[]): Figure {
  const known = figures.filter((figure) => figure.precision !== "unknown");
  if (known.length === 0 && figures.length > 0) return { value: 0, precision: "unknown" };
  const value = known.reduce((sum, figure) => sum + figure.value, 0);
  if (known.length < figures.length) return { value, precision: "capped" };
  const precision = LEAST_EXACT_FIRST.find((candidate) => known.some((figure) => figure.precision === candidate));
  return { value, precision: precision ?? "exact" };
}
