import type { MessageList, MessageQuery } from "#contracts/messages.ts";
import { toDatabaseError } from "#db/stores/postgres/connection/database-error.ts";
import { withReadTransaction } from "#db/stores/postgres/connection/transaction.ts";
import { type CappedCount, countMatching, listMessages as readPage } from "#db/stores/postgres/read/list-messages.ts";
import { databaseClock } from "#db/stores/postgres/read/read-waiting.ts";
import { AppError } from "#domain/errors.ts";
import { outboxRef } from "../outboxes/outbox-ref.ts";
import type { Runtime } from "../runtime.ts";

const STATEMENT_TIMEOUT_MS = 3000;

/** One page of messages with how many match. Throws: not_found, invalid_input, filter_not_indexed, unavailable, query_timeout. */
export async function listMessages(input: {
  runtime: Runtime;
  outbox: string;
  query: MessageQuery;
}): Promise<MessageList> {
  const handle = await input.runtime.outbox(input.outbox);
  requireKey(handle.mapping.primaryKey.length, handle.name);
  const { cursor, limit, ...filter } = input.query;
  const ref = outboxRef(handle);
  try {
    return await withReadTransaction(handle.store.browse, STATEMENT_TIMEOUT_MS, async (client) => {
      const page = await readPage(client, ref, { filter, cursor, limit });
      // A first page that is not full has seen all that a count would see.
      const count =
        page.partial && cursor === undefined && page.rows.length < limit
          ? countOfPartial(page.rows.length)
          : await countMatching(client, ref, filter);
      return {
        messages: page.rows,
        nextCursor: page.nextCursor,
        partial: page.partial,
        asOf: await databaseClock(client),
        matching:
          count && !handle.catalog.rowSecurity
            ? { value: count.value, precision: count.capped ? ("capped" as const) : ("exact" as const) }
            : { value: 0, precision: "unknown" as const },
      };
    });
  } catch (error) {
    throw toDatabaseError(error, `outbox ${handle.name}`);
  }
}

function countOfPartial(found: number): CappedCount | null {
  return found === 0 ? null : { value: found, capped: true };
}

export function requireKey(keyLength: number, outbox: string): void {
  if (keyLength > 0) return;
  throw new AppError(
    "wrong_state",
    `The table of outbox ${outbox} has no primary key: its messages cannot be told apart. Add one to list them.`,
  );
}
