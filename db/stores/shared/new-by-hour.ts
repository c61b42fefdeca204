export const HOURS = 24;
const HOUR_MS = 3_600_000;

/** 23 … 0: how many whole hours ago each hour of a day ends, oldest first. */
export function hoursOldestFirst(): number[] {
  return Array.from({ length: HOURS }, (_, index) => HOURS - 1 - index);
}

/** Counts times by the sliding hour before `now`, oldest hour first; null if a time is missing. */
export function countByHour(times: readonly (string | null | undefined)[], now: string): number[] | null {
  const counts = hoursOldestFirst().map(() => 0);
  for (const time of times) {
    if (!time) return null;
    const ago = Math.floor(Math.max(0, Date.parse(now) - Date.parse(time)) / HOUR_MS);
    if (ago < HOURS) counts[HOURS - 1 - ago] = (counts[HOURS - 1 - ago] ?? 0) + 1;
  }
  return counts;
}
