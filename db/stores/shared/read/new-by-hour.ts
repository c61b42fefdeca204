const HOURS = 24;
const HOUR_MS = 3_600_000;

/** 23 … 0: how many whole hours ago each hour of a day ends, oldest first. */
export function hoursOldestFirst(): number[] {
  return Array.from({ length: HOURS }, (_, index) => HOURS - 1 - index);
}

/** Counts whole hours ago, oldest hour first; those of 24 and more are left out. */
export function countHours(hoursAgo: readonly number[]): number[] {
  const counts = hoursOldestFirst().map(() => 0);
  for (const ago of hoursAgo) {
    const index = HOURS - 1 - ago;
    if (index >= 0) counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts;
}

/** Counts times by the sliding hour before `now`, oldest hour first; null if a time is missing. */
export function countByHour(times: readonly (string | null | undefined)[], now: string): number[] | null {
  const known = times.filter((time) => time !== null && time !== undefined);
  if (known.length < times.length) return null;
  return countHours(known.map((time) => Math.floor(Math.max(0, Date.parse(now) - Date.parse(time)) / HOUR_MS)));
}
