const ROOT_PX = 16;

/** A length for a library that takes px only: as many px as `px` are at the font size that the person has set. */
export function remPx(px: number): number {
  if (typeof document === "undefined") return px;
  const root = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Number.isFinite(root) ? (px * root) / ROOT_PX : px;
}
