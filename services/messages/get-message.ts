import type { MessageDetail } from "#contracts/messages.ts";
import { decodeMessageId } from "#db/stores/port/message-id.ts";
import { toDatabaseError } from "#db/stores/postgres/connection/database-error.ts";
import { withReadTransaction } from "#db/stores/postgres/connection/transaction.ts";
import { readHistory } from "#db/stores/postgres/own-schema/read-history.ts";
import { type FoundMessage, findMessage, readContent, type StoredText } from "#db/stores/postgres/read/find-message.ts";
import { countLaterPublished } from "#db/stores/postgres/read/later-published.ts";
import { listNeighbours } from "#db/stores/postgres/read/list-neighbours.ts";
import { databaseClock } from "#db/stores/postgres/read/read-waiting.ts";
import { quoteIdentifier, quoteLiteral, quoteTable } from "#db/stores/postgres/tables/mapping-sql.ts";
import { AppError } from "#domain/errors.ts";
import { MESSAGE_ACTIONS, refusalReason } from "#domain/message-state.ts";
import { findSightings } from "../inboxes/find-sightings.ts";
import { outboxRef } from "../outboxes/outbox-ref.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import { requireKey } from "./list-messages.ts";

const STATEMENT_TIMEOUT_MS = 5000;

/** Everything known of one message. Throws: not_found, unavailable, query_timeout. */
export async function getMessage(input: { runtime: Runtime; outbox: string; id: string }): Promise<MessageDetail> {
  const handle = await input.runtime.outbox(input.outbox);
  requireKey(handle.mapping.primaryKey.length, handle.name);
  const ref = outboxRef(handle);
  try {
    const read = await withReadTransaction(handle.store.browse, STATEMENT_TIMEOUT_MS, async (client) => {
      const found = await findMessage(client, ref, input.id);
      if (!found)
        throw new AppError(
          "not_found",
          `There is no message ${shorten(input.id)} in outbox ${handle.name}: it was never there, or it was published and cleaned away, or purged.`,
        );
      return {
        found,
        content: await readContent(client, ref, found),
        history: await readHistory(client, ref, input.id),
        neighbours: await listNeighbours(client, ref, found.row),
        laterPublished: found.row.state === "published" ? null : await countLaterPublished(client, ref, found.row),
        asOf: await databaseClock(client),
      };
    });
    const { found, content, history } = read;
    const sightings = await findSightings({
      runtime: input.runtime,
      handle,
      eventId: eventIdOf(handle, found, content.columns),
    });
    return {
      message: found.row,
      payload: toPayload(content.payload),
      headers: toPayload(content.headers),
      columns: content.columns,
      attempts: history.attempts,
      firstError: history.firstError,
      claim: history.claim,
      neighbours: read.neighbours,
      laterPublished: read.laterPublished,
      sightings,
      audit: history.audit,
      actions: MESSAGE_ACTIONS.map((action) => {
        // As the verb decides: a claim that has expired may be taken back by a retry.
        const afterExpiredClaim = action === "retry" && found.row.claimExpired && found.row.state === "pending";
        const refusal = afterExpiredClaim ? undefined : refusalReason(action, found.row);
        const reason = handle.storeSide ? refusal : "This outbox is observed only.";
        return { action, possible: reason === undefined, reason: reason ?? null };
      }),
      sql: selectSql(handle, input.id),
      asOf: read.asOf,
    };
  } catch (error) {
    throw toDatabaseError(error, `outbox ${handle.name}`);
  }
}

function shorten(id: string): string {
  return id.length > 40 ? `${id.slice(0, 40)}…` : id;
}

/** What consumers know the message by: the id role, which may not be the key. */
function eventIdOf(
  handle: OutboxHandle,
  found: FoundMessage,
  columns: { name: string; value: string | null }[],
): string {
  const named = columns.find((column) => column.name === handle.mapping.columns.id.name)?.value;
  return named ?? decodeMessageId(found.row.id, handle.mapping.primaryKey.length)[0] ?? found.row.id;
}

function toPayload(stored: StoredText | null): MessageDetail["payload"] {
  if (!stored) return null;
  const { text, format, totalBytes, shownBytes } = stored;
  return { text, format, totalBytes, shownBytes, truncated: shownBytes < totalBytes };
}

function selectSql(handle: OutboxHandle, id: string): string {
  const { mapping } = handle;
  const values = decodeMessageId(id, mapping.primaryKey.length);
  const where = mapping.primaryKey.map(
    (column, index) => `${quoteIdentifier(column.name)} = ${quoteLiteral(values[index] ?? "")}`,
  );
  return `SELECT * FROM ${quoteTable(mapping.table)} WHERE ${where.join(" AND ")};`;
}
