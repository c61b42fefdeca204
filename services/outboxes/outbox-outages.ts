import { perRuntime } from "../per-runtime.ts";
import type { Runtime } from "../runtime.ts";
import { type Outage, OutageMemory } from "../stores/outage-memory.ts";

/**
 * Outages that stop every relay of an outbox although its database answers. `table`: it is missing, has changed or is
 * forbidden. `writes`: the database accepts none.
 */
export type OutageOf = "table" | "writes";

const memoryOf = perRuntime(() => new Map<string, OutageMemory>());

function outagesOf(runtime: Runtime, outbox: string, of: OutageOf): OutageMemory {
  const memory = memoryOf(runtime);
  const key = `${of} ${outbox}`;
  const known = memory.get(key) ?? new OutageMemory();
  memory.set(key, known);
  return known;
}

export function noteOutage(runtime: Runtime, outbox: string, of: OutageOf): void {
  outagesOf(runtime, outbox, of).begin();
}

/** Ends the outage, if there is one. Returns it, otherwise the last one. */
export function endOutage(runtime: Runtime, outbox: string, of: OutageOf): Outage | null {
  const outages = outagesOf(runtime, outbox, of);
  outages.end();
  return outages.outage;
}
