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
