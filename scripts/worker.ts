import { ConfigError, isAppError } from "#domain/errors.ts";
import { startMonitor } from "#monitor/start-monitor.ts";
import { startRelays } from "#relay/start-relays.ts";
import { autoMigrate } from "#services/config/auto-migrate.ts";
import { loadConfig } from "#services/config/load-config.ts";
import { openRuntime } from "#services/runtime.ts";

/** The relay takes up to this long to settle what it has in flight; past it, the claims expire by themselves. */
const STOP_WITHIN_MS = 10_000;

/** npm passes on a Ctrl-C that the terminal has sent as well: two signals within this time are one wish. */
const SAME_WISH_MS = 500;

const stopping = new AbortController();
let stoppingSince = 0;

function onSignal(): void {
  if (!stopping.signal.aborted) {
    stoppingSince = Date.now();
    stopping.abort();
  } else if (Date.now() - stoppingSince > SAME_WISH_MS) {
    process.exit(1);
  }
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, onSignal);

const { signal } = stopping;
const { runtime, parts } = await startParts().catch((error: unknown) => {
  console.error(isAppError(error) || error instanceof ConfigError ? error.message : error);
  process.exit(1);
});

/** Relays and monitor over one runtime: one reading of the configuration, one set of connections. */
async function startParts() {
  const config = loadConfig();
  await autoMigrate(config);
  const opened = openRuntime({ config, applicationName: "outbox-console worker" });
  return {
    runtime: opened,
    parts: await Promise.all([startRelays({ runtime: opened, signal }), startMonitor({ runtime: opened, signal })]),
  };
}

await new Promise<void>((resolve) => {
  if (stopping.signal.aborted) return resolve();
  // A pending listener does not keep a process alive, and relays may have nothing to do.
  const alive = setInterval(() => undefined, 60_000);
  stopping.signal.addEventListener("abort", () => {
    clearInterval(alive);
    resolve();
  });
});

setTimeout(() => {
  console.error(`The worker did not stop within ${STOP_WITHIN_MS / 1000} s; what it had claimed is delivered again.`);
  process.exit(1);
}, STOP_WITHIN_MS).unref();

await Promise.all(parts.map((part) => part.stop()));
await runtime.close();
process.exit(0);
