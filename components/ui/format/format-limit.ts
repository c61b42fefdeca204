import { formatDuration } from "#domain/format.ts";

/** A round limit without its empty second unit: "5 m", not "5 m 00 s". */
export function formatLimit(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return formatDuration(seconds).replace(/ 00? [smh]$/, "");
}
