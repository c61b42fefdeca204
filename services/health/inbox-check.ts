import type { InboxSummary } from "#contracts/outbox/inboxes.ts";
import type { HealthCheck } from "#contracts/watch/health.ts";
import { type HealthStatus, judge, worstStatus } from "#domain/figures/limits.ts";
import { formatCount, formatDuration, formatPlural } from "#domain/format.ts";

const LIMITS = { warn: 60, fail: 300 };

/**
 * Whether messages of an inbox wait too long. What is not known is a warning: without an age, nothing shows that all is
 * well. So are figures beside a problem, which are not of now.
 */
export function inboxCheck(
  { figures, problem }: Pick<InboxSummary, "figures" | "problem">,
  { isHidden, previous }: { isHidden: boolean; previous: HealthStatus },
): HealthCheck {
  const check = { componentType: "datastore" as const, observedUnit: "s", threshold: LIMITS };
  if (problem !== null && figures === null)
    return { ...check, status: isHidden ? "warn" : "fail", observedValue: null, output: problem };
  const judged = judgeFigures(check, figures, previous);
  if (problem === null) return judged;
  return { ...judged, status: worstStatus([judged.status, "warn"]), output: `${judged.output} ${problem}` };
}

function judgeFigures(
  check: Pick<HealthCheck, "componentType" | "observedUnit" | "threshold">,
  figures: InboxSummary["figures"],
  previous: HealthStatus,
): HealthCheck {
  const failed = figures && figures.failed.value > 0 ? ` ${formatPlural(figures.failed.value, "message")} failed.` : "";
  const unknown = (output: string): HealthCheck => ({
    ...{ ...check, status: "warn", observedValue: null },
    output: output + failed,
  });
  if (!figures || figures.unprocessed.precision === "unknown") return unknown("How many messages wait is not known.");
  const { unprocessed, oldestUnprocessedSeconds: age } = figures;
  const capped = unprocessed.precision === "capped";
  if (unprocessed.value === 0)
    return { ...check, status: "pass", observedValue: 0, output: `Nothing waits to be processed.${failed}` };
  const waiting = capped
    ? `More than ${formatCount(unprocessed.value)} messages wait`
    : `${formatPlural(unprocessed.value, "message")} ${unprocessed.value === 1 ? "waits" : "wait"}`;
  if (age === null)
    return unknown(
      `${waiting} to be processed; for how long is not known, because the table does not show when they came.`,
    );
  const level = judge(age, LIMITS, previous);
  const output = capped
    ? `${waiting} to be processed, one of them for ${formatDuration(age)}; others may wait longer.`
    : `The oldest unprocessed message waits ${formatDuration(age)}.`;
  return {
    ...check,
    status: capped && level === "pass" ? "warn" : level,
    observedValue: Number(age.toFixed(1)),
    output: output + failed,
  };
}
