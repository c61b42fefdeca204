import { listenForStop } from "#services/stop-signals.ts";
import { log } from "./log.ts";
import { type MonitorHandle, startMonitor } from "./start-monitor.ts";

/** The monitor alone: `node monitor/main.ts`. `npm run worker` runs it together with the relay. */
let monitor: MonitorHandle | undefined;
const stop = listenForStop({ log, leftUndone: () => monitor?.undone() ?? [] });
monitor = await startMonitor();
log.info("monitor started");
await stop.asked;
await monitor.stop();
stop.finish();
