import { isDeepStrictEqual } from "node:util";
import type { MappingFingerprint } from "#db/stores/port/mapping-fingerprint.ts";
import { AppError } from "#domain/errors.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import { sentencesOf } from "./outbox-stop.ts";

/**
 * The mapping for publishing and acting on an outbox: the accepted one or, at the first start, the one recognised
 * without doubt, which is then stored as accepted. Throws wrong_state if a person must decide first.
 */
export async function acceptFirstMapping(
  runtime: Pick<Runtime, "reread">,
  handle: OutboxHandle,
  by: string,
): Promise<MappingFingerprint> {
  const { name, stop, accepted, proposed } = handle;
  if (stop) throw new AppError("wrong_state", sentencesOf(stop));
  if (accepted) return accepted;
  if ("code" in proposed) throw new AppError("wrong_state", sentencesOf(proposed));
  const kept = await handle.store.records.keepFirstMapping({ outbox: name, fingerprint: proposed, by });
  if (isDeepStrictEqual(kept, proposed)) return kept;
  runtime.reread();
  throw new AppError("wrong_state", `Another process has just accepted the mapping of outbox ${name}; try again.`);
}

/** Sentences: what a person must decide, as `acceptFirstMapping` would throw it; null if nothing. */
export function whyUndecided({ stop, accepted, proposed }: OutboxHandle): string | null {
  if (stop) return sentencesOf(stop);
  return !accepted && "code" in proposed ? sentencesOf(proposed) : null;
}
