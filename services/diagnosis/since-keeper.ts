import type { SinceOf } from "#domain/diagnosis/diagnose.ts";
import { perRuntime } from "../per-runtime.ts";
import type { Runtime } from "../runtime.ts";

/** A cause that comes back within this time was never gone. */
const SAME_AGAIN_MS = 30_000;

/** The console side only adds to the figures: it is not waited for as long as a store. */
const PATIENCE_MS = 500;

interface Seen {
  since: string;
  lastMs: number;
}

const memoriesOf = perRuntime(() => new Map<string, Map<string, Seen>>());

/**
 * Since when a cause stands whose beginning the facts do not tell: as the monitor has kept it, else since this process
 * first saw it. `asOf` is the database's clock.
 */
export async function openSinceKeeper(runtime: Runtime, outbox: string, asOf: string): Promise<SinceOf> {
  const memory = memoryOf(runtime, outbox);
  const nowMs = performance.now();
  if (memory.size === 0) await readKept(runtime, outbox, memory, nowMs);
  for (const [key, seen] of memory) if (nowMs - seen.lastMs > SAME_AGAIN_MS) memory.delete(key);
  return (rule, key) => {
    const name = JSON.stringify([rule, key]);
    const since = memory.get(name)?.since ?? asOf;
    memory.set(name, { since, lastMs: nowMs });
    return since;
  };
}

function memoryOf(runtime: Runtime, outbox: string): Map<string, Seen> {
  const ofRuntime = memoriesOf(runtime);
  let memory = ofRuntime.get(outbox);
  if (!memory) {
    memory = new Map();
    ofRuntime.set(outbox, memory);
  }
  return memory;
}

/** The console side may be down or not there yet: then what stands began when it was first seen. */
async function readKept(runtime: Runtime, outbox: string, memory: Map<string, Seen>, nowMs: number): Promise<void> {
  const { records, consoleLine } = runtime;
  if (!records || !consoleLine) return;
  const read = () => records.openFindings(outbox);
  const rows = await consoleLine.ask(read, { patienceMs: PATIENCE_MS }).catch(() => []);
  for (const { rule, subject, since } of rows) memory.set(JSON.stringify([rule, subject]), { since, lastMs: nowMs });
}
