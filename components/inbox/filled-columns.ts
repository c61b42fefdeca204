import type { InboxMessage } from "#contracts/outbox/inboxes.ts";

/** Value of a column; null means none. */
const READS: Record<string, (message: InboxMessage) => unknown> = {
  state: (message) => message.state,
  type: (message) => message.eventType,
  consumer: (message) => message.consumer,
  message: (message) => message.id,
  received: (message) => message.receivedAt,
  processed: (message) => message.processedAt,
  age: (message) => message.ageSeconds,
};
const ALWAYS = ["state", "message"];

/** Columns with a value in at least one row: inbox tables have few columns, and a column of dashes says nothing. */
export function filledColumns(messages: readonly InboxMessage[] | undefined): ReadonlySet<string> {
  const keys = Object.keys(READS);
  if (messages === undefined) return new Set(keys);
  return new Set(
    keys.filter((key) => ALWAYS.includes(key) || messages.some((message) => READS[key]?.(message) != null)),
  );
}
