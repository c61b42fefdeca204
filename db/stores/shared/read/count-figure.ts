import type { CountFigure } from "../../port/outbox-figures.ts";

export const UNKNOWN_COUNT: CountFigure = { value: 0, precision: "unknown" };

export const exact = (value: number): CountFigure => ({ value, precision: "exact" });

/** Adds two counts; the sum has the precision of the less exact one. With an estimate in it, it is no lower bound. */
export function sum(one: CountFigure, other: CountFigure): CountFigure {
  const precision = one.precision === "exact" ? other.precision : one.precision;
  const isEstimate = precision === "capped" && (one.precision === "estimate" || other.precision === "estimate");
  return { value: one.value + other.value, precision: isEstimate ? "estimate" : precision };
}

export const add = (figure: CountFigure, value: number): CountFigure => ({ ...figure, value: figure.value + value });

/**
 * Unsent minus the others. "At least 0" is reported as unknown, and so is what is left of "at least" without "at least": there may
 * be more of either.
 */
export function pendingOf(unsent: CountFigure, others: readonly CountFigure[]): CountFigure {
  const value = Math.max(0, unsent.value - others.reduce((sum, figure) => sum + figure.value, 0));
  const isBound = unsent.precision === "capped";
  if (isBound && (value === 0 || others.some(({ precision }) => precision === "capped"))) return UNKNOWN_COUNT;
  const areExact = others.every(({ precision }) => precision === "exact");
  // A difference of inexact numbers is inexact, and no bound.
  return { value, precision: areExact || unsent.precision === "unknown" ? unsent.precision : "estimate" };
}

/** "At least 0" is reported as unknown. */
export function figureOf(found: number, all: boolean, most: number): CountFigure {
  if (all) return { value: found, precision: "exact" };
  return found === 0 ? UNKNOWN_COUNT : { value: Math.min(found, most), precision: "capped" };
}
