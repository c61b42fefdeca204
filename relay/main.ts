import { loadConfig } from "#services/config/load-config.ts";
import { openRuntime } from "#services/runtime.ts";
import { listenForStop } from "#services/stop-signals.ts";
import { relayLog } from "./relay-log.ts";
import { type StartedRelays, startRelays } from "./start-relays.ts";

/** Runs the relays alone: `node relay/main.ts`. `npm run worker` runs them together with the monitor. */
const log = relayLog();
let relays: StartedRelays | undefined;
const stop = listenForStop({ log, leftUndone: () => relays?.undone() ?? [] });
const runtime = openRuntime({ config: loadConfig(), applicationName: "outbox-console relay", follow: true });
relays = await startRelays({ runtime, signal: stop.signal, log });
await stop.asked;
await relays.stop();
await runtime.close();
stop.finish();
