import type { CountFigure } from "../../port/outbox-figures.ts";

export const UNKNOWN_COUNT: CountFigure = { value: 0, precision: "unknown" };

export const exact = (value: number): CountFigure => ({ value, precision: "exact" });

/** Adds two counts; the sum has the precision of the less exact one. */
export function sum(one: CountFigure, other: CountFigure): CountFigure {
  const precision = one.precision === "exact" ? other.precision : one.precision;
  return { value: one.value + other.value, precision };
}

export const add = (figure: CountFigure, value: number): CountFigure => ({ ...figure, value: figure.value + value });

/** Unsent minus the others. "At least 0" is reported as unknown. */
export function pendingOf(unsent: CountFigure, others: readonly CountFigure[]): CountFigure {
  const value = Math.max(0, unsent.value - others.reduce((sum, figure) => sum + figure.value, 0));
  if (value === 0 && unsent.precision === "capped") return { value, precision: "unknown" };
  return {
    value,
    precision: others.every(({ precision }) => precision === "exact") ? unsent.precision : worse(unsent),
  };
}

/** A difference of inexact numbers is inexact. */
function worse(figure: CountFigure): CountFigure["precision"] {
  return figure.precision === "exact" ? "estimate" : figure.precision;
}

/** "At least 0" is reported as unknown. */
export function figureOf(found: number, all: boolean, most: number): CountFigure {
  if (all) return { value: found, precision: "exact" };
  return found === 0 ? UNKNOWN_COUNT : { value: Math.min(found, most), precision: "capped" };
}
