import type { SinceOf } from "#domain/diagnosis/diagnose.ts";
import { perRuntime } from "../per-runtime.ts";
import type { Runtime } from "../runtime.ts";

/** A cause that returns within this time keeps its `since`. */
const SAME_AGAIN_MS = 30_000;

/** Shorter than for a store, because the console side only adds to the figures. */
const PATIENCE_MS = 500;

interface Seen {
  since: string;
  lastMs: number;
}

const memoriesOf = perRuntime(() => new Map<string, Map<string, Seen>>());

/**
 * Start of causes whose facts do not show it: as stored by the monitor, or else when this process first saw the cause.
 * `asOf` is on the database's clock.
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

/** If the console side is down or missing, a cause starts when this process first sees it. */
async function readKept(runtime: Runtime, outbox: string, memory: Map<string, Seen>, nowMs: number): Promise<void> {
  const { records, consoleLine } = runtime;
  if (!records || !consoleLine) return;
  const read = () => records.openFindings(outbox);
  const rows = await consoleLine.ask(read, { patienceMs: PATIENCE_MS }).catch(() => []);
  for (const { rule, subject, since } of rows) memory.set(JSON.stringify([rule, subject]), { since, lastMs: nowMs });
}
