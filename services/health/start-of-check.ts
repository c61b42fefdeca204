import type { HealthCheck } from "#contracts/watch/health.ts";

export interface CheckStart {
  status: HealthCheck["status"];
  since: string;
}

/**
 * Time since which a check has had its status, on the clock of its reading. Never in the future, even if that clock was
 * set back.
 */
export function startOfCheck({ status, time }: HealthCheck, before: CheckStart | undefined): string {
  const now = time ?? new Date().toISOString();
  const lasts = before?.status === status && Date.parse(before.since) <= Date.parse(now);
  return lasts ? before.since : now;
}
