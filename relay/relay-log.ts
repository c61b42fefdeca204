import { type Logger, pino } from "pino";

/** One line of JSON per change of state, on stderr: stdout belongs to the log sink. Never a payload, never a secret. */
export function relayLog(): Logger {
  return pino({ name: "relay", level: process.env.LOG_LEVEL ?? "info" }, pino.destination({ dest: 2, sync: true }));
}
