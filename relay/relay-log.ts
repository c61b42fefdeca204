import { type Logger, pino } from "pino";
import { logDestination } from "#services/log-destination.ts";

/** One line of JSON per change of state, on stderr: stdout belongs to the log sink. Never a payload, never a secret. */
export function relayLog(): Logger {
  return pino({ name: "relay", level: process.env.LOG_LEVEL ?? "info" }, logDestination(2));
}
