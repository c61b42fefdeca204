import { PARTITIONS } from "#domain/relay/partitions.ts";

/** `12 of 32 partitions`, `all partitions`. */
export function formatShare(partitions: number): string {
  if (partitions === PARTITIONS) return "all partitions";
  return `${partitions} of ${PARTITIONS} partitions`;
}

/** Ascending numbers as `0–3, 7, 9–31`. */
export function formatRanges(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(", ");
}
