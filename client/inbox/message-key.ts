import type { EventRegistry } from "../events/define-events.ts";
import type { ReceivedMessage } from "../messages/received-message.ts";
import type { Dialect } from "../sql/adapter.ts";
import type { MessageKey } from "./mark.ts";

/** Characters that the printed tables for MySQL have room for. */
const MOST = { type: 255, aggregateType: 190, aggregateId: 255 };

/**
 * What the inbox keeps of a message. A text that the table cannot hold is left out: the message could neither be marked nor
 * its failure counted, so it would be delivered for ever.
 */
export function messageKey(events: EventRegistry, message: ReceivedMessage, dialect: Dialect): MessageKey {
  const { id, type, sequence } = message;
  const aggregate = type !== null && events.has(type) ? events.definitions[type]?.aggregate : undefined;
  const fit = (text: string | null, most: number): string | null =>
    text === null || text.includes("\0") || (dialect === "mysql" && text.length > most) ? null : text;
  return {
    id,
    type: fit(type, MOST.type),
    aggregateType: fit(aggregate ?? message.aggregateType, MOST.aggregateType),
    aggregateId: fit(message.aggregateId, MOST.aggregateId),
    sequence,
  };
}
