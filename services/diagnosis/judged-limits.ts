import { type HealthStatus, judge } from "#domain/figures/limits.ts";
import type { OutboxConfig } from "../config/outbox-schema.ts";
import { perConsole } from "../per-runtime.ts";
import type { Runtime } from "../runtime.ts";

export interface Judged {
  oldestPending: HealthStatus;
  dead: HealthStatus;
  failed: HealthStatus;
}

const PASS: Judged = { oldestPending: "pass", dead: "pass", failed: "pass" };
const memoryOf = perConsole(() => new Map<string, Judged>());

/** Judges an outbox's figures against its limits, with hysteresis between readings. Call it once per reading. */
export function judgeLimits(
  runtime: Runtime,
  outbox: string,
  thresholds: OutboxConfig["thresholds"],
  figures: { oldestSeconds: number | null; dead: number; failed: number },
): Judged {
  const memory = memoryOf(runtime);
  const last = memory.get(outbox) ?? PASS;
  const { oldestPending, dead, failed } = thresholds;
  const ages = { warn: oldestPending.warn / 1000, fail: oldestPending.fail / 1000 };
  const judged: Judged = {
    oldestPending: figures.oldestSeconds === null ? "pass" : judge(figures.oldestSeconds, ages, last.oldestPending),
    dead: judge(figures.dead, dead, last.dead),
    failed: judge(figures.failed, failed, last.failed),
  };
  memory.set(outbox, judged);
  return judged;
}
