import type { Snapshot } from "#contracts/snapshot.ts";
import type { MonitorLease } from "#db/records/read-monitor-lease.ts";
import type { Rates } from "#db/records/read-samples.ts";
import { perRuntime } from "../per-runtime.ts";
import type { Runtime } from "../runtime.ts";
import { SingleFlight } from "../single-flight.ts";

/** Shorter than for a store, because the console side only adds to the figures. */
const PATIENCE_MS = 500;
const RATES_MAX_AGE_SECONDS = 30;
const MONITOR_ALIVE_SECONDS = 30;
const MONITOR_FRESH_MS = 2_000;

/** Null if the console side is down or missing: rates are then unknown, everything else stands. */
export async function readRates(runtime: Runtime, outbox: string): Promise<Rates | null> {
  const { records, consoleLine } = runtime;
  if (!records || !consoleLine) return null;
  const read = () => records.latestRates(outbox, RATES_MAX_AGE_SECONDS);
  return consoleLine.ask(read, { patienceMs: PATIENCE_MS }).catch(() => null);
}

type Lease = MonitorLease | null;
const flightOf = perRuntime(() => new SingleFlight<Lease | undefined>(MONITOR_FRESH_MS));

/** Null without a console side, or if it does not answer. `lastSeenAt` is capped at `asOf`, which may be on another clock. */
export async function readMonitor(runtime: Runtime, asOf: string): Promise<Snapshot["monitor"]> {
  const { records, consoleLine } = runtime;
  if (!records || !consoleLine) return null;
  const read = () => consoleLine.ask(() => records.monitorLease(), { patienceMs: PATIENCE_MS });
  const lease = await flightOf(runtime).run("monitor", () => read().catch(() => undefined));
  if (lease === undefined) return null;
  if (lease === null) return { alive: false, lastSeenAt: null };
  return {
    alive: lease.heartbeatAgeSeconds < MONITOR_ALIVE_SECONDS,
    lastSeenAt: lease.heartbeatAt < asOf ? lease.heartbeatAt : asOf,
  };
}
