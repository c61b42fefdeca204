import type { EventRegistry } from "../events/define-events.ts";
import type { ReceivedMessage } from "../messages/received-message.ts";
import type { Dialect } from "../sql/adapter.ts";
import type { MessageKey } from "./mark.ts";

/** Longest text of the columns in our printed tables for MySQL. */
const MOST = { type: 255, aggregateType: 190, aggregateId: 255 };

/**
 * The fields of a message that the inbox keeps. Leaves out a text that the table cannot hold: otherwise the message
 * could be neither marked nor its failure counted, and would be delivered for ever.
 */
export function messageKey(events: EventRegistry, message: ReceivedMessage, dialect: Dialect): MessageKey {
  const { id, type, sequence } = message;
  const aggregate = type !== null && events.has(type) ? events.definitions[type]?.aggregate : undefined;
  // A message made by hand may lack what its transport did not carry.
  const fit = (text: string | null | undefined, most: number): string | null =>
    text === null || text === undefined || text.includes("\0") || (dialect === "mysql" && text.length > most)
      ? null
      : text;
  return {
    id,
    type: fit(type, MOST.type),
    aggregateType: fit(aggregate ?? message.aggregateType, MOST.aggregateType),
    aggregateId: fit(message.aggregateId, MOST.aggregateId),
    // Absent, or no number of a column: as if it was not sent.
    sequence: Number.isSafeInteger(sequence) ? sequence : null,
  };
}
