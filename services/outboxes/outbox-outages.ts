import { perRuntime } from "../per-runtime.ts";
import type { Runtime } from "../runtime.ts";
import type { Outage } from "../stores/store-guard.ts";

/**
 * Outages that stop every relay of an outbox although its database answers. `table`: it is missing, has changed or is
 * forbidden. `writes`: the database accepts none.
 */
export type OutageOf = "table" | "writes";

interface Spell {
  sinceMs: number | null;
  last: { seconds: number; endedAtMs: number } | null;
}

const memoryOf = perRuntime(() => new Map<string, Spell>());

function spellOf(runtime: Runtime, outbox: string, of: OutageOf): Spell {
  const memory = memoryOf(runtime);
  const key = `${of} ${outbox}`;
  const known = memory.get(key) ?? { sinceMs: null, last: null };
  memory.set(key, known);
  return known;
}

export function noteOutage(runtime: Runtime, outbox: string, of: OutageOf): void {
  spellOf(runtime, outbox, of).sinceMs ??= performance.now();
}

/** Ends the outage, if there is one. Returns it, otherwise the last one. */
export function endOutage(runtime: Runtime, outbox: string, of: OutageOf): Outage | null {
  const spell = spellOf(runtime, outbox, of);
  const nowMs = performance.now();
  if (spell.sinceMs !== null) spell.last = { seconds: (nowMs - spell.sinceMs) / 1000, endedAtMs: nowMs };
  spell.sinceMs = null;
  const { last } = spell;
  return last && { seconds: last.seconds, endedSeconds: (nowMs - last.endedAtMs) / 1000 };
}
