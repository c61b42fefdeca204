import type { InboxMessageList, InboxQuery } from "#contracts/inboxes.ts";
import { toDatabaseError } from "#db/stores/postgres/connection/database-error.ts";
import { withReadTransaction } from "#db/stores/postgres/connection/transaction.ts";
import { listInboxRows } from "#db/stores/postgres/read/read-inbox.ts";
import { databaseClock } from "#db/stores/postgres/read/read-waiting.ts";
import type { Runtime } from "../runtime.ts";

/** One page of an inbox. Throws: not_found, invalid_input, filter_not_indexed, unavailable. */
export async function listInboxMessages(input: {
  runtime: Runtime;
  inbox: string;
  query: InboxQuery;
}): Promise<InboxMessageList> {
  const handle = await input.runtime.inbox(input.inbox);
  const { cursor, limit, ...filter } = input.query;
  try {
    return await withReadTransaction(handle.store.browse, 3000, async (client) => {
      const page = await listInboxRows(client, handle.mapping, { filter, cursor, limit });
      return { messages: page.rows, nextCursor: page.nextCursor, asOf: await databaseClock(client) };
    });
  } catch (error) {
    throw toDatabaseError(error, `inbox ${handle.name}`);
  }
}
