import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { OutboxHandle } from "../runtime.ts";

export function outboxRef(handle: OutboxHandle): OutboxRef {
  return {
    name: handle.name,
    mapping: handle.mapping,
    storeSide: handle.storeSide,
    ...(handle.accepted ? { accepted: handle.accepted } : {}),
    maxAttempts: handle.config.relay?.maxAttempts ?? null,
    estimatedRows: handle.catalog.estimatedRows,
    partitioned: handle.catalog.partitioned,
  };
}
