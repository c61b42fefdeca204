import type { MessageDetail } from "#contracts/message/messages.ts";
import { outboxesOf } from "../config/inbox-schema.ts";
import type { InboxHandle, OutboxHandle, Runtime } from "../runtime.ts";

const STATES = { processed: "processed", unprocessed: "received", failed: "failed", received: "untracked" } as const;

type Sighting = MessageDetail["sightings"][number];

/**
 * Which consumers have seen a message, over every inbox of its outbox. An inbox that cannot be read is `unknown`, and
 * so is one that knows records by their place in a topic.
 */
export async function findSightings(input: {
  runtime: Runtime;
  handle: OutboxHandle;
  eventId: string;
}): Promise<Sighting[]> {
  const { inboxes } = await input.runtime.tables();
  const related = inboxes.filter(({ config, mapping }) => {
    const outboxes = outboxesOf(config);
    return (outboxes.length === 0 && !mapping.byPosition) || outboxes.includes(input.handle.name);
  });
  const found = await Promise.all(related.map((inbox) => look(inbox, input.eventId)));
  return found.flat();
}

async function look(inbox: InboxHandle, eventId: string): Promise<Sighting[]> {
  const known = { inbox: inbox.name, consumer: inbox.config.consumer ?? null };
  if (inbox.mapping.byPosition) return [{ ...known, state: "unknown", at: null }];
  try {
    const { name, mapping, store } = inbox;
    const rows = await store.guard.ask(() => store.inbox(name, mapping).sightings(eventId));
    if (rows.length === 0) return [{ ...known, state: "not_seen", at: null }];
    return rows.map((row) => ({
      ...known,
      consumer: row.consumer ?? known.consumer,
      state: STATES[row.state],
      at: row.at,
    }));
  } catch {
    // A silent inbox must not fail the message's page; it shows "unknown".
    return [{ ...known, state: "unknown", at: null }];
  }
}
