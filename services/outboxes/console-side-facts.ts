import type { Snapshot } from "#contracts/outbox/snapshot.ts";
import type { MonitorLease } from "#db/records/read-monitor-lease.ts";
import type { Rates } from "#db/records/read-samples.ts";
import type { Records } from "#db/records/records.ts";
import { type StoreTrouble, troubleOf } from "#db/stores/port/store-error.ts";
import type { MonitorFacts } from "#domain/diagnosis/facts/store-facts.ts";
import { isAppError } from "#domain/errors.ts";
import { MONITOR_SILENT_SECONDS } from "#domain/monitor.ts";
import { perRuntime } from "../per-runtime.ts";
import type { Runtime } from "../runtime.ts";
import { SingleFlight } from "../single-flight.ts";
import { type StoreGuard, silentSinceOf } from "../stores/store-guard.ts";

/** Shorter than for a store, because the console side only adds to the figures. */
const PATIENCE_MS = 500;
/** Samples are taken every 5 s. */
const RATES_AGE = { newestSeconds: 12, maxAgeSeconds: 20 };
/** Its lease is read at most this often. */
const MONITOR_FRESH_MS = 2_000;

/** Null if the console side is down or missing: only the rates are then unknown. */
export async function readRates(runtime: Runtime, outbox: string): Promise<Rates | null> {
  const { records, consoleGuard } = runtime;
  if (!records || !consoleGuard) return null;
  const read = () => records.latestRates(outbox, RATES_AGE);
  return consoleGuard.ask(read, { patienceMs: PATIENCE_MS }).catch(() => null);
}

/** The last lease, and why no monitor can write it, or its other tables; null if one can, or that is not known. */
interface LeaseReading {
  lease: MonitorLease | null;
  problem: string | null;
}
const troubleAtOf = perRuntime(() => ({ lastMs: Number.NEGATIVE_INFINITY }));
/** True once this process has read a lease, so that the console's own tables existed. */
const everReadOf = perRuntime(() => ({ lease: false }));
/** Time within which a running monitor renews its lease once the console's database accepts writes again, ms. */
const RENEWS_WITHIN_MS = 10_000;
const flightOf = perRuntime(() => new SingleFlight<LeaseReading | null>(MONITOR_FRESH_MS));
/** Pause between two tries to write rows as a live monitor does, ms: each leaves dead row versions behind. */
const ROWS_TRIED_EVERY_MS = 30_000;
const rowsTriedOf = perRuntime(() => ({ atMs: Number.NEGATIVE_INFINITY }));

/** How long the console's database may be away before it is reported: a restart takes less. */
const AWAY_MS = 30_000;
/** Troubles of a busy database, which are no problem of a monitor. */
const NO_PROBLEM: readonly (StoreTrouble | null)[] = ["locked", "commit_in_doubt"];

export interface MonitorReading {
  /** For the snapshot. Null without a console side, or if it does not answer. */
  shown: Snapshot["monitor"];
  facts: MonitorFacts | null;
}

/** `lastSeenAt` is capped at `asOf`, which may be on another clock. */
export async function readMonitor(runtime: Runtime, asOf: string): Promise<MonitorReading> {
  const { records, consoleGuard } = runtime;
  if (!records || !consoleGuard) return { shown: null, facts: null };
  const trouble = troubleAtOf(runtime);
  const noteTrouble = () => {
    trouble.lastMs = performance.now();
  };
  const noted = { ever: everReadOf(runtime), rowsTried: rowsTriedOf(runtime), noteTrouble };
  const reading = await flightOf(runtime).run("monitor", () => readLease(records, consoleGuard, noted));
  if (reading === null) return { shown: null, facts: null };
  const { lease, problem } = reading;
  const alive = lease !== null && lease.heartbeatAgeSeconds < MONITOR_SILENT_SECONDS;
  const mayRenew = !alive && problem === null && performance.now() - trouble.lastMs < RENEWS_WITHIN_MS;
  if (mayRenew) return { shown: null, facts: null };
  const lastSeenAt = lease && (lease.heartbeatAt < asOf ? lease.heartbeatAt : asOf);
  return {
    shown: lease === null && problem !== null ? null : { alive, lastSeenAt },
    facts: lastSeenAt === null && problem === null ? null : { alive, lastSeenAt, problem },
  };
}

interface Noted {
  ever: { lease: boolean };
  /** A failed try is repeated at the next reading. */
  rowsTried: { atMs: number };
  noteTrouble: () => void;
}

async function readLease(
  records: Records,
  guard: StoreGuard,
  { ever, rowsTried, noteTrouble }: Noted,
): Promise<LeaseReading | null> {
  let lease: MonitorLease | null = null;
  const ask = <Answer>(question: () => Promise<Answer>) => guard.ask(question, { patienceMs: PATIENCE_MS });
  try {
    lease = await ask(() => records.monitorLease());
    ever.lease ||= lease !== null;
    const isAlive = lease !== null && lease.heartbeatAgeSeconds < MONITOR_SILENT_SECONDS;
    if (lease) await ask(() => (isAlive ? records.tryMonitorTables() : records.tryMonitorLease()));
    if (isAlive && performance.now() - rowsTried.atMs >= ROWS_TRIED_EVERY_MS) {
      await ask(() => records.tryMonitorRows());
      rowsTried.atMs = performance.now();
    }
    return { lease, problem: null };
  } catch (error) {
    noteTrouble();
    const problem = problemOf(error, ever.lease);
    return lease === null && problem === null ? null : { lease, problem };
  }
}

/** Missing tables are a problem only if they existed before; otherwise they were never created. */
function problemOf(error: unknown, wereThere: boolean): string | null {
  if (!isAppError(error) || error.code === "query_timeout" || NO_PROBLEM.includes(troubleOf(error))) return null;
  if (troubleOf(error) === "missing" && !wereThere) return null;
  const since = silentSinceOf(error);
  return since !== null && Date.now() - Date.parse(since) < AWAY_MS ? null : error.message;
}
