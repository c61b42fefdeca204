import { setTimeout as delay } from "node:timers/promises";
import type { OutboxFigures } from "#db/stores/port/outbox-figures.ts";
import { SILENT_SOON_SECONDS } from "#domain/diagnosis/facts/relays.ts";
import type { NoWrites, StoreFacts } from "#domain/diagnosis/facts/store-facts.ts";
import { perRuntime } from "../per-runtime.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import { requireReadable } from "../stores/outbox-stop.ts";
import { outboxOf } from "./outbox-of.ts";

/** True if our relay should send heartbeats and does not: it may have ended, or the store refuses its heartbeats. */
function isSilent({ config }: OutboxHandle, { relays }: OutboxFigures): boolean {
  const isHeard = relays.some(({ heartbeatAgeSeconds }) => heartbeatAgeSeconds < SILENT_SOON_SECONDS);
  return config.mode === "relay" && !isHeard;
}

/** How long a reading waits for a tried heartbeat, ms. */
const TRY_WITHIN_MS = 1_000;

/** A reading that could not ask again repeats the last refusal for this long, ms. */
const REPEATED_MS = 15_000;

const lastRefusals = perRuntime(() => new Map<string, { readOnly: NoWrites; atMs: number }>());

/**
 * Read only while a relay is silent. A store that is too slow to answer in time has not taken writes again: its last
 * refusal is repeated for a while; then, and without one, null, as what it takes is not known.
 */
export async function readNoWrites(
  runtime: Runtime,
  handle: OutboxHandle,
  figures: OutboxFigures,
): Promise<Pick<StoreFacts, "readOnly"> | null> {
  const refusals = lastRefusals(runtime);
  if (!isSilent(handle, figures)) {
    refusals.delete(handle.name);
    return { readOnly: null };
  }
  const answer = await Promise.race([tryToWrite(runtime, handle), delay(TRY_WITHIN_MS, null, { ref: false })]);
  if (answer !== null) return answer;
  const last = refusals.get(handle.name);
  return last && performance.now() - last.atMs < REPEATED_MS ? { readOnly: last.readOnly } : null;
}

/** Null if it could not be tried. Notes the answer, also one that comes too late for its reading. */
async function tryToWrite(runtime: Runtime, handle: OutboxHandle): Promise<Pick<StoreFacts, "readOnly"> | null> {
  const refusals = lastRefusals(runtime);
  try {
    const readOnly = await outboxOf(handle).watch.noWrites();
    if (readOnly) refusals.set(handle.name, { readOnly, atMs: performance.now() });
    else refusals.delete(handle.name);
    return { readOnly };
  } catch {
    return null;
  }
}

/** A changed table stops its relay. The catalog that shows the change may be this old, ms. */
const CATALOG_OF_SILENT_MS = 3_000;

/**
 * The outbox as it is now if its relays have fallen silent: a changed table raises no error here. Throws as
 * examineOutbox.
 */
export async function ofToday(runtime: Runtime, handle: OutboxHandle, figures: OutboxFigures): Promise<OutboxHandle> {
  if (!isSilent(handle, figures)) return handle;
  runtime.reread({ olderThanMs: CATALOG_OF_SILENT_MS });
  const now = await runtime.outbox(handle.name);
  requireReadable(now.stop);
  return now;
}
