export type HealthStatus = "pass" | "warn" | "fail";

const ORDER: readonly HealthStatus[] = ["pass", "warn", "fail"];

export function worstStatus(statuses: readonly HealthStatus[]): HealthStatus {
  return statuses.reduce<HealthStatus>(
    (worst, status) => (ORDER.indexOf(status) > ORDER.indexOf(worst) ? status : worst),
    "pass",
  );
}

/** How far below a limit a value must fall before its check clears: a value that hovers does not flap. */
const CLEAR_BELOW = 0.8;

/** Status of a value against its limits; a raised check clears only below 80 % of the limit that raised it. A limit of 0 is none. */
export function judge(value: number, limits: { warn: number; fail: number }, previous: HealthStatus): HealthStatus {
  const over = (limit: number, raised: boolean) => limit > 0 && value >= (raised ? limit * CLEAR_BELOW : limit);
  if (over(limits.fail, previous === "fail")) return "fail";
  return over(limits.warn, previous !== "pass") ? "warn" : "pass";
}
