import type { OrderKey, OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";

/**
 * The messages that can be parked. An id has one record: that of another place in the log, as of a dead message, stays,
 * and what follows in its aggregate waits behind the message that has no place. `known`: the orders of records, by id.
 */
export function parkable(
  messages: readonly OutgoingMessage[],
  known: ReadonlyMap<string, OrderKey>,
): readonly OutgoingMessage[] {
  const stopped = new Set<string>();
  return messages.filter(({ id, aggregateKey, order }) => {
    const recorded = known.get(id);
    const fits = recorded === undefined || (recorded[0] === order[0] && recorded[1] === order[1]);
    if (!fits && aggregateKey !== null) stopped.add(aggregateKey);
    return fits && (aggregateKey === null || !stopped.has(aggregateKey));
  });
}
