import type { OutboxFigures } from "#db/stores/port/outbox-figures.ts";
import { perRuntime } from "../per-runtime.ts";
import type { Runtime } from "../runtime.ts";

const memoryOf = perRuntime(() => new Map<string, string>());

/**
 * Time of the last reading, on the database's clock, in which the outbox or a part of it was paused; null without one
 * since this process started. Messages that waited until then were held back on purpose. Call it once per reading.
 */
export function pausedUntil(
  runtime: Runtime,
  outbox: string,
  { pause, partialPauses, asOf }: Pick<OutboxFigures, "pause" | "partialPauses" | "asOf">,
): string | null {
  const memory = memoryOf(runtime);
  if (pause || partialPauses.eventTypes > 0 || partialPauses.aggregates > 0) memory.set(outbox, asOf);
  return memory.get(outbox) ?? null;
}
