import { ConfigError } from "#domain/errors.ts";
import { checkBind } from "#services/auth/check-bind.ts";
import { loadConfig } from "#services/config/load-config.ts";

/** Ends the process when the configuration is not valid, or would serve everyone without a password. */
export function checkStart(): void {
  try {
    checkBind(loadConfig(), process.env.HOST ?? "127.0.0.1");
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(
      `Outbox Console does not start:\n${error.problems.map((problem) => `  ${problem}`).join("\n")}\n`,
    );
    process.exit(1);
  }
}
