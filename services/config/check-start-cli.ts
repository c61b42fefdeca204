import { ConfigError } from "#domain/errors.ts";
import { checkBind } from "../auth/check-bind.ts";
import { loadConfig } from "./load-config.ts";

/** Exits with 1 and explains if the console would refuse to start with this configuration and HOST. Opens nothing. */
try {
  checkBind(loadConfig(), process.env.HOST ?? "127.0.0.1");
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(
    `Outbox Console does not start:\n${error.problems.map((problem) => `  ${problem}`).join("\n")}\n`,
  );
  process.exitCode = 1;
}
