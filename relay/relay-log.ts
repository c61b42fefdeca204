import type { Logger } from "pino";
import { openLog } from "#services/open-log.ts";

/**
 * Logs changes of state as lines of JSON, never a payload or a secret. To stderr, because stdout belongs to the log
 * sink.
 */
export function relayLog(): Logger {
  return openLog("relay", 2);
}
