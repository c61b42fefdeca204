export type HealthStatus = "pass" | "warn" | "fail";

export interface Limits {
  /** 0 switches the limit off. */
  warn: number;
  fail: number;
}

const ORDER: readonly HealthStatus[] = ["pass", "warn", "fail"];

export function worstStatus(statuses: readonly HealthStatus[]): HealthStatus {
  return statuses.reduce<HealthStatus>(
    (worst, status) => (ORDER.indexOf(status) > ORDER.indexOf(worst) ? status : worst),
    "pass",
  );
}

/** A raised status clears below this share of its limit, so that a value near the limit does not flap. */
const CLEAR_BELOW = 0.8;

/**
 * Judges a value against its limits; a value equal to a limit has reached it. A raised status clears only below 80 % of
 * the limit that raised it. Tiles, verdict, health and alerts all use this.
 */
export function judge(value: number, limits: Limits, previous: HealthStatus = "pass"): HealthStatus {
  const over = (limit: number, raised: boolean) => limit > 0 && value >= (raised ? limit * CLEAR_BELOW : limit);
  if (over(limits.fail, previous === "fail")) return "fail";
  return over(limits.warn, previous !== "pass") ? "warn" : "pass";
}
