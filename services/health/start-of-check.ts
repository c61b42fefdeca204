import type { HealthCheck } from "#contracts/watch/health.ts";

export interface CheckStart {
  status: HealthCheck["status"];
  since: string;
}

/**
 * Since when a check has had its status, by the clock that it was read with. That clock may have been set back: nothing is
 * so since a time that is still to come.
 */
export function startOfCheck({ status, time }: HealthCheck, before: CheckStart | undefined): string {
  const now = time ?? new Date().toISOString();
  const lasts = before?.status === status && Date.parse(before.since) <= Date.parse(now);
  return lasts ? before.since : now;
}
