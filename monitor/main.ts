import { log } from "./log.ts";
import { startMonitor } from "./start-monitor.ts";

/** The monitor alone: `node monitor/main.ts`. `npm run worker` runs it beside the relay. */
const monitor = await startMonitor();
log.info("The monitor runs");
const alive = setInterval(() => undefined, 60_000);

let stopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (stopping) process.exit(1);
    stopping = true;
    clearInterval(alive);
    monitor.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, "The monitor did not stop cleanly");
        process.exit(1);
      },
    );
  });
}
