const DAY_MS = 86_400_000;

/**
 * A day as an address and a date field write it, as the instant at which it begins in UTC; undefined for other text.
 */
export function startOfDay(day: string | undefined): string | undefined {
  if (day === undefined || !/^\d{4}-\d\d-\d\d$/.test(day)) return undefined;
  const ms = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** The instant at which the day ends in UTC. */
export function endOfDay(day: string | undefined): string | undefined {
  const begin = startOfDay(day);
  return begin === undefined ? undefined : new Date(Date.parse(begin) + DAY_MS).toISOString();
}
