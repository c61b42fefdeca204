import type { EventLog } from "./event-log.ts";

const STEP_MS = 50;
const STALL_MS = 500;

/** Records a fault when the machine stalls for half a second, because leases and timeouts run on meanwhile. */
export function watchForStalls(log: EventLog): { stop(): void } {
  let lastMs = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - lastMs > STALL_MS) log.begin("machine-stall", null, now - lastMs)();
    lastMs = now;
  }, STEP_MS);
  return { stop: () => clearInterval(timer) };
}
