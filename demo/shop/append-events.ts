import { randomBytes } from "node:crypto";
import type { PoolClient } from "pg";

export const EVENT_TYPES = [
  "order.placed",
  "order.paid",
  "order.shipped",
  "order.cancelled",
  "invoice.rendered",
  "customer.registered",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export interface ShopEvent {
  aggregateType: "order" | "invoice" | "customer";
  aggregateId: string;
  eventType: EventType;
  /** JSON text, so that money keeps its cents and ledger numbers their digits. */
  payload: string;
}

const APPEND_SQL = `
INSERT INTO shop.outbox_events (aggregate_type, aggregate_id, event_type, payload, headers)
SELECT aggregate_type, aggregate_id, event_type, payload::jsonb, headers::jsonb
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
  WITH ORDINALITY AS event (aggregate_type, aggregate_id, event_type, payload, headers, position)
ORDER BY position`;

/** Writes events to the outbox inside the caller's transaction: this is the pattern. */
export async function appendEvents(db: Pick<PoolClient, "query">, events: readonly ShopEvent[]): Promise<void> {
  await db.query(APPEND_SQL, [
    events.map((event) => event.aggregateType),
    events.map((event) => event.aggregateId),
    events.map((event) => event.eventType),
    events.map((event) => event.payload),
    events.map(headersOf),
  ]);
}

function headersOf(event: ShopEvent): string {
  const traceparent = `00-${randomBytes(16).toString("hex")}-${randomBytes(8).toString("hex")}-01`;
  return JSON.stringify({ source: "shop", schema: `${event.eventType}/2`, traceparent });
}
