import { setTimeout as delay } from "node:timers/promises";
import type { OutboxFigures } from "#db/stores/port/outbox-figures.ts";
import { SILENT_SOON_SECONDS } from "#domain/diagnosis/facts/relays.ts";
import type { StoreFacts } from "#domain/diagnosis/facts/store-facts.ts";
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

/**
 * Null if it could not be read in time. Read only while a relay is silent and never cached: it is the cause, or it is
 * over.
 */
export async function readNoWrites(
  handle: OutboxHandle,
  figures: OutboxFigures,
): Promise<Pick<StoreFacts, "readOnly"> | null> {
  if (!isSilent(handle, figures)) return { readOnly: null };
  const tried = outboxOf(handle)
    .watch.noWrites()
    .then(
      (readOnly) => ({ readOnly }),
      () => null,
    );
  return Promise.race([tried, delay(TRY_WITHIN_MS, null, { ref: false })]);
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
