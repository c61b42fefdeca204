import { type Logger, pino } from "pino";
import { logDestination } from "#services/log-destination.ts";

/** Logs changes of state as lines of JSON, never a payload or a secret. To stderr, because stdout belongs to the log sink. */
export function relayLog(): Logger {
  return pino({ name: "relay", level: process.env.LOG_LEVEL ?? "info" }, logDestination(2));
}
