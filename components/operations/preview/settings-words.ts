import type { Figure } from "#contracts/common.ts";
import type { BulkSettings } from "#contracts/message/operations.ts";
import { capitalize, formatCount, formatDuration, formatLimit, formatRate } from "#domain/format.ts";
import { canFailAgain } from "#domain/message/bulk-operation.ts";
import type { OperationAction } from "#domain/message/correction.ts";

/** The settings in one sentence; canary and halt are of a retry or a re-publish only. */
export function describeSettings(action: OperationAction, settings: BulkSettings): string {
  const { ratePerSecond, rampSeconds, canary, haltPercent } = settings;
  const ramp = ratePerSecond !== null && rampSeconds > 0 ? `, reached over ${formatLimit(rampSeconds)}` : "";
  const pace =
    ratePerSecond === null
      ? "as fast as live messages allow"
      : `at most ${formatLimitRate(ratePerSecond)} a second${ramp}`;
  if (!canFailAgain(action)) return `${capitalize(pace)}.`;
  const first = canary === 0 ? "" : `${formatCount(canary)} first, and the rest once they are published; `;
  return `${capitalize(`${first}${pace}`)}. Halts when ${haltPercent} % of the last 50 ${action === "retry" ? "fail again" : "fail"}.`;
}

/** Seconds that `count` messages take at the asked rate; null without one. */
export function secondsFor(count: number, { ratePerSecond, rampSeconds }: BulkSettings): number | null {
  if (ratePerSecond === null) return null;
  const inRamp = (ratePerSecond * rampSeconds) / 2;
  if (count <= inRamp) return Math.sqrt((2 * count * rampSeconds) / ratePerSecond);
  return rampSeconds + (count - inRamp) / ratePerSecond;
}

/** How long it takes at the asked rate; null where that is not known. */
export function describeTime(count: Figure, settings: BulkSettings): string | null {
  const seconds = count.precision === "unknown" ? null : secondsFor(count.value, settings);
  if (seconds === null) return null;
  return `${count.precision === "capped" ? "At least" : "About"} ${formatDuration(seconds)} in all.`;
}

/** A rate that somebody typed: 5, 0.5. */
function formatLimitRate(rate: number): string {
  return Number.isInteger(rate) ? formatCount(rate) : formatRate(rate);
}
