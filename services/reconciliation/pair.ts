import type { InboxHandle, OutboxHandle } from "../runtime.ts";

/** An inbox and one of the outboxes whose messages arrive in it. */
export interface Pair {
  inbox: InboxHandle;
  outbox: OutboxHandle;
}

/** Null, or a sentence: why nothing can be said about the published messages of this pair. */
export function whyNotJudged({ inbox, outbox }: Pair): string | null {
  const { mapping, config, catalog, name } = outbox;
  const { lifecycle, primaryKey, columns } = mapping;
  if (catalog.rowSecurity || inbox.catalog.rowSecurity)
    return "Row level security hides rows, so a message that is not found may be there.";
  if (inbox.mapping.byPosition)
    return `Inbox ${inbox.name} knows records by topic, partition and offset, which no message of an outbox has.`;
  if (primaryKey.length === 0) return `The table of outbox ${name} has no primary key.`;
  if (config.relay?.cdc.mark === "none") return `No row of outbox ${name} says that it is published (cdc.mark: none).`;
  if (lifecycle.kind === "delete")
    return `Outbox ${name} deletes what it published, so no published message is left to look up.`;
  if (lifecycle.kind === "log" || lifecycle.kind === "untold" || lifecycle.kind === "unknown")
    return `The rows of outbox ${name} do not say whether they are published.`;
  if (inbox.config.eventTypes && !columns.eventType)
    return `eventTypes cannot be applied: the table of outbox ${name} has no event type.`;
  return null;
}

/** Null, or a sentence: why the inbox's rows cannot be looked up in the outbox. */
export function whyRowsNotJudged(pair: Pair): string | null {
  const why = whyNotJudged(pair);
  if (why !== null) return why;
  const { mapping, name } = pair.outbox;
  return mapping.primaryKey.length === 1 && mapping.primaryKey[0]?.name === mapping.columns.id.name
    ? null
    : `The id that consumers record is not the primary key of outbox ${name}.`;
}

/**
 * True if the inbox keeps the row of a message that it has processed: it marks such rows, or the configuration says so.
 */
export function keepsProcessed({ mapping, config }: InboxHandle): boolean {
  return mapping.mark.kind !== "none" || config.keeps !== undefined;
}
