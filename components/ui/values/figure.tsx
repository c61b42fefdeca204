import type { Figure as FigureValue } from "#contracts/common.ts";
import { formatFigure } from "../format/format-figure.ts";

const MEANING: Record<FigureValue["precision"], string> = {
  exact: "counted exactly",
  capped: "at least this many; counting stopped here",
  estimate: "estimated from the database's statistics",
  unknown: "not known",
};

/** A number with its exactness: "4,812", "≈ 9.8 M", "10k+". */
export function Figure({ value, precision }: FigureValue) {
  const title = precision === "exact" ? undefined : MEANING[precision];
  return <span title={title}>{formatFigure({ value, precision })}</span>;
}
