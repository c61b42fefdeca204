import type { OutboxStore } from "#db/stores/port/store.ts";
import type { OutboxHandle } from "../runtime.ts";
import { outboxRef } from "./outbox-ref.ts";

/** The store's operations on an outbox, by the mapping of its handle. */
export function outboxOf(handle: OutboxHandle): OutboxStore {
  return handle.store.outbox(outboxRef(handle));
}
