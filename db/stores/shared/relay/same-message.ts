import type { OutgoingMessage } from "../../port/relay/outgoing-message.ts";

/** The values of a row that a receiver gets, and its creation time. */
const CONTENT = [
  "eventId",
  "aggregateType",
  "aggregateId",
  "eventType",
  "topic",
  "headers",
  "payload",
  "createdAt",
] as const;

/**
 * True if a row of the same key still is the message that was read before. Columns that are not sent, such as a status
 * or a lock, may have changed since; a change of a sent column makes it another message.
 */
export function isSameMessage(row: OutgoingMessage, sent: OutgoingMessage): boolean {
  if (CONTENT.some((name) => row[name] !== sent[name])) return false;
  const [now, before] = [row.fields ?? {}, sent.fields ?? {}];
  return Object.keys(before).every((name) => now[name] === before[name]);
}
