import "server-only";
import { loadConfig } from "#services/config/load-config.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";

const holder = globalThis as typeof globalThis & { outboxConsoleRuntime?: Runtime };

/** One runtime per process, kept when modules are reloaded. Throws: ConfigError. */
export function getRuntime(): Runtime {
  holder.outboxConsoleRuntime ??= openRuntime({
    config: loadConfig(),
    applicationName: "outbox-console web",
    follow: true,
  });
  return holder.outboxConsoleRuntime;
}
