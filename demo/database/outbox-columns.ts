import type { OutboxColumns } from "#client/outbox/layout.ts";

/** Columns that the shop writes; the time of creation is the table's default. */
export const OUTBOX_COLUMNS: OutboxColumns = {
  id: "id",
  aggregateType: "aggregate_type",
  aggregateId: "aggregate_id",
  eventType: "event_type",
  payload: "payload",
  headers: "headers",
};
