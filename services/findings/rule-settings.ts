import type { OutboxHandle } from "../runtime.ts";
import type { RuleSettings } from "./rule.ts";

const RELAY_SILENT_SECONDS = 10;
const LEAST_NO_PROGRESS_SECONDS = 15;
const DAY_SECONDS = 86_400;

/** The limits of one outbox: its own thresholds where it has some, else the same for all. */
export function ruleSettingsOf({ name, config }: Pick<OutboxHandle, "name" | "config">): RuleSettings {
  const { warn, fail } = config.thresholds.oldestPending;
  return {
    outbox: name,
    mode: config.mode,
    sink: config.relay?.sink ?? null,
    overdueSeconds: fail / 1000,
    relaySilentSeconds: RELAY_SILENT_SECONDS,
    noProgressSeconds: Math.max(LEAST_NO_PROGRESS_SECONDS, warn / 1000),
    claimGraceSeconds: RELAY_SILENT_SECONDS,
    lockHeldSeconds: 5,
    oldTransactionSeconds: 60,
    scheduledFarSeconds: 7 * DAY_SECONDS,
    clockSkewSeconds: 5,
  };
}
