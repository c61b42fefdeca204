import { ConfigError, isAppError } from "#domain/errors.ts";
import { type MonitorHandle, startMonitor } from "#monitor/start-monitor.ts";
import { startWorkerEndpoints } from "#monitor/worker-endpoints.ts";
import { SendMetrics } from "#relay/metrics/send-metrics.ts";
import { relayLog } from "#relay/relay-log.ts";
import { openReplaySink } from "#relay/replay/open-replay-sink.ts";
import { type StartedRelays, startRelays } from "#relay/start-relays.ts";
import { loadConfig } from "#services/config/load-config.ts";
import { autoMigrate } from "#services/migrate/auto-migrate.ts";
import { openRuntime } from "#services/runtime.ts";
import { listenForStop } from "#services/stop-signals.ts";

const log = relayLog();
let relays: StartedRelays | undefined;
let monitor: MonitorHandle | undefined;
const stop = listenForStop({
  log,
  leftUndone: () => [...(relays?.undone() ?? []), ...(monitor?.undone() ?? [])],
});

/** Relays and monitor over one runtime, which reads the configuration once and shares its connections. */
async function run(): Promise<void> {
  const config = loadConfig();
  const { signal } = stop;
  // A stop does not wait for a migration; the server rolls back one that is cut off.
  await Promise.race([autoMigrate(config), stop.asked]);
  if (signal.aborted) return;
  const runtime = openRuntime({ config, applicationName: "outbox-console worker", follow: true });
  process.on("SIGHUP", runtime.reloadConfig);
  const metrics = new SendMetrics();
  const endpoints = await startWorkerEndpoints({ runtime, sent: (form) => metrics.text(form) });
  relays = await startRelays({ runtime, signal, log, metrics });
  monitor = await startMonitor({ runtime, signal, openReplaySink });
  await stop.asked;
  await Promise.all([relays.stop(), monitor.stop()]);
  await endpoints.stop();
  await runtime.close();
}

await run().catch((error: unknown) => {
  console.error(isAppError(error) || error instanceof ConfigError ? error.message : error);
  process.exit(1);
});
stop.finish();
