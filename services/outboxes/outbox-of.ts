import type { OutboxStore } from "#db/stores/port/store.ts";
import { withMaskedErrors } from "../masking/mask-rows.ts";
import { type Masker, maskerOf } from "../masking/masker.ts";
import type { OutboxHandle } from "../runtime.ts";
import { withoutGuessedIndex } from "./index-of-guess.ts";
import { outboxRef } from "./outbox-ref.ts";

type Masked = Pick<OutboxHandle, "masking" | "config">;

/**
 * The store's operations on an outbox, by the mapping of its handle. Errors come masked, payloads as they are stored;
 * no list names an index of words that are only guessed.
 */
export function outboxOf(handle: OutboxHandle): OutboxStore {
  const typed = handle.mapping.columns.eventType !== undefined;
  const store = withMaskedErrors(handle.store.outbox(outboxRef(handle)), { masker: () => maskerFor(handle), typed });
  const { read } = store;
  return { ...store, read: { ...read, list: (request) => withoutGuessedIndex(handle, read.list(request)) } };
}

/** Rules for showing its messages; null: everything is shown. */
export function maskerFor({ masking, config }: Masked): Promise<Masker | null> {
  return maskerOf(masking, config.registry);
}
