import type { HealthCheck } from "#contracts/watch/health.ts";
import { formatCount, formatDuration, formatLimit } from "#domain/format.ts";

/** "14 m 08 s", "17 messages", "–". */
export function formatObserved(check: HealthCheck): string {
  const { observedValue: value, observedUnit: unit } = check;
  if (value === null || value === undefined) return "–";
  if (typeof value === "string") return value;
  if (isSeconds(unit)) return formatDuration(value);
  return unit === undefined ? formatCount(value) : `${formatCount(value)} ${value === 1 ? singular(unit) : unit}`;
}

/** "message" of "messages"; a rate such as "messages/s" stays as it is. */
function singular(unit: string): string {
  return unit.replace(/^([a-z]+)s$/, "$1");
}

/** "warn 1 m, fail 5 m". */
export function formatThreshold(check: HealthCheck): string {
  const print = (value: number) => (isSeconds(check.observedUnit) ? formatLimit(value) : formatCount(value));
  const parts = [
    check.threshold?.warn === undefined ? undefined : `warn ${print(check.threshold.warn)}`,
    check.threshold?.fail === undefined ? undefined : `fail ${print(check.threshold.fail)}`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? "–" : parts.join(", ");
}

function isSeconds(unit: string | undefined): boolean {
  return unit === "s" || unit === "seconds";
}
