import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";

/** First deliveries that came after a later message of their aggregate; the order is a whole number. */
export function outOfOrder(delivered: readonly OutgoingMessage[]): string[] {
  const last = new Map<string, number>();
  const seen = new Set<string>();
  const found: string[] = [];
  for (const { id, aggregateKey, order } of delivered) {
    if (seen.has(id)) continue;
    seen.add(id);
    const place = Number(order[0]);
    if (place < (last.get(aggregateKey ?? id) ?? 0)) found.push(`${aggregateKey} ${place}`);
    last.set(aggregateKey ?? id, place);
  }
  return found;
}
