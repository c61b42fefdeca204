import type { OutboxHandle } from "../runtime.ts";

/** The outbox as it would be after its first action, which accepts a mapping without doubt. For reading only. */
export function asAccepted(handle: OutboxHandle): OutboxHandle {
  const { accepted, proposed } = handle;
  return accepted || "code" in proposed ? handle : { ...handle, accepted: proposed };
}
