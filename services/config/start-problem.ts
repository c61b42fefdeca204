import { ConfigError } from "#domain/errors.ts";
import { checkBind } from "../auth/check-bind.ts";
import { loadConfig } from "./load-config.ts";

/**
 * Why the console refuses to start with this configuration and HOST, for the terminal; null if it starts. Opens
 * nothing.
 */
export function startProblem(): string | null {
  try {
    checkBind(loadConfig(), process.env.HOST ?? "127.0.0.1");
    return null;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return `Outbox Console does not start:\n${error.problems.map((problem) => `  ${problem}`).join("\n")}\n`;
  }
}
