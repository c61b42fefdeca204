import type { SinceOf } from "#domain/diagnosis/diagnose.ts";
import { MONITOR_SILENT_SECONDS } from "#domain/monitor.ts";
import { perRuntime } from "../per-runtime.ts";
import type { Runtime } from "../runtime.ts";

/** A cause that returns within this time keeps its `since`. */
const SAME_AGAIN_MS = 30_000;
/**
 * Without a monitor: a cause that was there at the last reading keeps its `since`. Alerting polls more often than this.
 */
const UNWATCHED_MS = 600_000;

/** Shorter than for a store, because the console side only adds to the figures. */
const PATIENCE_MS = 500;

interface Seen {
  since: string;
  /** When this process saw the cause last: on its own clock, and on the database's. */
  lastMs: number;
  lastAt: string;
}

interface Memory {
  lastAskedMs: number;
  causes: Map<string, Seen>;
}

const memoriesOf = perRuntime(() => new Map<string, Memory>());

/**
 * Start of causes whose facts do not show it: as stored by the monitor, otherwise when this process first saw the
 * cause. The monitor's records are read at the start and after a pause in requests, during which only the monitor was
 * looking. `asOf` is on the database's clock.
 */
export async function openSinceKeeper(runtime: Runtime, outbox: string, asOf: string): Promise<SinceOf> {
  const memory = memoryOf(runtime, outbox);
  const { causes, lastAskedMs } = memory;
  const nowMs = performance.now();
  const isWatched = nowMs - lastAskedMs <= SAME_AGAIN_MS;
  const stored = isWatched && causes.size > 0 ? null : await readStored(runtime, outbox);
  const own = new Map(causes);
  if (stored?.isComplete) causes.clear();
  for (const [key, { lastMs }] of causes) {
    const isStale = isWatched ? nowMs - lastMs > SAME_AGAIN_MS : lastMs < lastAskedMs || nowMs - lastMs > UNWATCHED_MS;
    if (isStale) causes.delete(key);
  }
  if (stored && causes.size === 0)
    for (const [key, since] of stored.sinces) {
      const seen = own.get(key);
      causes.set(key, { since: seen ? joined(seen, since) : since, lastMs: nowMs, lastAt: asOf });
    }
  memory.lastAskedMs = nowMs;
  return (rule, key) => {
    const name = JSON.stringify([rule, key]);
    const known = causes.get(name)?.since ?? asOf;
    // The database's clock may have been set back: nothing begins after the reading.
    const since = Date.parse(known) > Date.parse(asOf) ? asOf : known;
    causes.set(name, { since, lastMs: nowMs, lastAt: asOf });
    return since;
  };
}

/** The monitor looks every few seconds, so this process may have seen the same cause earlier. */
function joined(seen: Seen, stored: string): string {
  const isSame = Date.parse(seen.lastAt) >= Date.parse(stored);
  return isSame && Date.parse(seen.since) < Date.parse(stored) ? seen.since : stored;
}

function memoryOf(runtime: Runtime, outbox: string): Memory {
  const ofRuntime = memoriesOf(runtime);
  let memory = ofRuntime.get(outbox);
  if (!memory) {
    memory = { lastAskedMs: Number.NEGATIVE_INFINITY, causes: new Map() };
    ofRuntime.set(outbox, memory);
  }
  return memory;
}

interface Stored {
  /** By rule and key. */
  sinces: [string, string][];
  /** A monitor is alive, so a cause that it has not stored is new. */
  isComplete: boolean;
}

/** Null if the console side is down or missing. */
async function readStored({ records, consoleGuard }: Runtime, outbox: string): Promise<Stored | null> {
  if (!records || !consoleGuard) return null;
  const read = () => Promise.all([records.openFindings(outbox), records.monitorLease()]);
  const answer = await consoleGuard.ask(read, { patienceMs: PATIENCE_MS }).catch(() => null);
  if (answer === null) return null;
  const [rows, lease] = answer;
  return {
    sinces: rows.map(({ rule, subject, since }) => [JSON.stringify([rule, subject]), since]),
    isComplete: lease !== null && lease.heartbeatAgeSeconds < MONITOR_SILENT_SECONDS,
  };
}
