import type { Figure } from "#contracts/common.ts";
import { formatCount } from "#domain/format.ts";

/** "4,812" exact, "≈ 9.8 M" estimated, "10k+" capped, "–" unknown. */
export function formatFigure(figure: Figure): string {
  if (figure.precision === "unknown") return "–";
  if (figure.precision === "estimate") return `≈ ${formatCompact(figure.value)}`;
  if (figure.precision === "capped") return `${formatCompact(roundedDown(figure.value)).replace(" ", "")}+`;
  return formatCount(figure.value);
}

/** "At least" stays true when only the first digits are shown: 9,999 reads "9.9k+", not "10k+". */
function roundedDown(value: number): number {
  if (value < 1_000) return value;
  const unit = value < 1_000_000 ? 1_000 : value < 1_000_000_000 ? 1_000_000 : 1_000_000_000;
  const step = value < 100 * unit ? unit / 10 : unit;
  return Math.floor(value / step) * step;
}

/** "10,000", or "10,000+" where not everything was read. */
export function formatLeast(count: number, complete: boolean): string {
  return formatCount(count) + (complete ? "" : "+");
}

/** Three digits with a unit: "812", "9.8k", "9.8 M". */
export function formatCompact(value: number): string {
  if (value < 1_000) return formatCount(value);
  // 999,999 reads "1 M", not "1000k"
  if (value < 999_500) return `${trim(value / 1_000)}k`;
  return value < 999_500_000 ? `${trim(value / 1_000_000)} M` : `${trim(value / 1_000_000_000)} G`;
}

function trim(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, "");
}

/** "1 message", "10k+ messages", "– messages". */
export function figurePlural(figure: Figure, singular: string): string {
  return `${formatFigure(figure)} ${unitOf(figure, singular)}`;
}

/** "row", or "rows" of any other number than one. */
export function unitOf({ value, precision }: Figure, singular: string): string {
  return precision === "exact" && value === 1 ? singular : `${singular}s`;
}
