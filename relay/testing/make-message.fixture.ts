import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";

/** A message as the relay would read it; `n` is its place in the order. */
export function makeMessage(n: number, fields: Partial<OutgoingMessage> = {}): OutgoingMessage {
  const id = `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  const aggregate = fields.aggregateId === undefined ? "a" : fields.aggregateId;
  return {
    id,
    eventId: id,
    aggregateKey: aggregate === null ? null : `order/${aggregate}`,
    aggregateType: "order",
    aggregateId: aggregate,
    eventType: "order.changed",
    topic: null,
    headers: null,
    payload: `{"n":${n}}`,
    payloadKind: "json",
    createdAt: "2026-03-01T10:00:00.123456Z",
    scheduled: false,
    order: [String(n), id],
    attempts: 0,
    ...fields,
  };
}
