import type { EventLog } from "./event-log.ts";

const STEP_MS = 50;
const STALL_MS = 500;

/** A machine that stands still for half a second makes time pass for leases and timeouts: it counts as a fault. */
export function watchForStalls(log: EventLog): { stop(): void } {
  let lastMs = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - lastMs > STALL_MS) log.begin("machine-stall", null, now - lastMs)();
    lastMs = now;
  }, STEP_MS);
  return { stop: () => clearInterval(timer) };
}
