import { loadConfig } from "#services/config/load-config.ts";
import { openRuntime } from "#services/runtime.ts";
import { relayLog } from "./relay-log.ts";
import { startRelays } from "./start-relays.ts";

/** The relays alone, as a process of their own; `npm run worker` runs them beside the monitor. */
const log = relayLog();
const runtime = openRuntime({ config: loadConfig(), applicationName: "outbox-console relay" });
const relays = await startRelays({ runtime, signal: new AbortController().signal, log });

let stopping = false;
async function stop(signal: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  log.info({ signal }, "stopping");
  await relays.stop();
  await runtime.close();
  process.exit(0);
}
process.on("SIGTERM", () => void stop("SIGTERM"));
process.on("SIGINT", () => void stop("SIGINT"));
