import type { DiagnosisSettings } from "#domain/diagnosis/cause.ts";
import type { OutboxHandle } from "../runtime.ts";
import { failedMeaning } from "./failed-meaning.ts";

/** A relay without a heartbeat for this long is not alive. */
export const RELAY_SILENT_SECONDS = 10;
/** A deploy stops one worker and starts the next within this time. */
const RESTART_SECONDS = 10;
const LEAST_NO_PROGRESS_SECONDS = 15;
const DAY_SECONDS = 86_400;

/** The limits of one outbox: its own thresholds, and constants for the rest. */
export function settingsOf({
  name,
  config,
  mapping,
  ownTablesOlder,
}: Pick<OutboxHandle, "name" | "config" | "mapping" | "ownTablesOlder">): DiagnosisSettings {
  const { oldestPending, dead } = config.thresholds;
  const warnSeconds = oldestPending.warn / 1000;
  return {
    outbox: name,
    mode: config.mode,
    ...(ownTablesOlder ? { ownTablesOlder } : {}),
    sink: config.relay?.sink ?? null,
    connector: config.debezium?.connector ?? null,
    byLog: mapping.lifecycle.kind === "log",
    untold: mapping.lifecycle.kind === "untold",
    otherReaders: (config.debezium ?? config.relay)?.otherReaders ?? [],
    failedMeans: failedMeaning({ config, mapping }),
    warnSeconds,
    failSeconds: oldestPending.fail / 1000,
    dead,
    relaySilentSeconds: RELAY_SILENT_SECONDS,
    restartSeconds: RESTART_SECONDS,
    noProgressSeconds: Math.max(LEAST_NO_PROGRESS_SECONDS, warnSeconds),
    claimGraceSeconds: RELAY_SILENT_SECONDS,
    lockHeldSeconds: 5,
    oldTransactionSeconds: 60,
    scheduledFarSeconds: 7 * DAY_SECONDS,
    clockSkewSeconds: 5,
  };
}
