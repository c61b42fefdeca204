import type { InboxMessageList, InboxQuery } from "#contracts/outbox/inboxes.ts";
import type { Runtime } from "../runtime.ts";
import { withPositions } from "./positions.ts";

/** One page of an inbox. Throws: not_found, invalid_input, filter_not_indexed, unavailable. */
export async function listInboxMessages(input: {
  runtime: Runtime;
  inbox: string;
  query: InboxQuery;
}): Promise<InboxMessageList> {
  const { name, mapping, store } = await input.runtime.inbox(input.inbox);
  const { cursor, limit, ...filter } = input.query;
  const { rows, ...page } = await store.inbox(name, mapping).list({ filter, cursor, limit });
  return { messages: withPositions(mapping, rows), ...page };
}
