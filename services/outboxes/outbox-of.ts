import type { OutboxStore } from "#db/stores/port/store.ts";
import type { OutboxHandle } from "../runtime.ts";
import { outboxRef } from "./outbox-ref.ts";

/** What can be asked of an outbox and done with it, by the mapping that its handle has. */
export function outboxOf(handle: OutboxHandle): OutboxStore {
  return handle.store.outbox(outboxRef(handle));
}
