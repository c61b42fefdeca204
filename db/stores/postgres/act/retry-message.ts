import type { PoolClient } from "pg";
import { formatPlural } from "#domain/format.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { type FoundMessage, keyArrays } from "../read/find-message.ts";
import { countLaterPublished } from "../read/later-published.ts";
import {
  aggregateKeyExpression,
  columnSql,
  keyMatch,
  keyText,
  messageIdExpression,
  orderColumn,
  quoteTable,
} from "../tables/mapping-sql.ts";
import { insertImage } from "../tables/row-image.ts";
import { retryAssignments } from "./native-updates.ts";
import type { Verb } from "./verb.ts";

/**
 * Makes a failed or dead message new again: attempts from 0, due now, history kept. A dead letter goes back into its
 * table first. The relay finds it by its delivery row; a relay of the team's by the table's own columns.
 */
export const retryMessage: Verb = async (client, ref, found) => {
  if (found.place === "dead_letter") await bringBack(client, ref, found);
  await resetNative(client, ref, found);
  await client.query(
    "UPDATE outbox_console.claim SET message_ids = array_remove(message_ids, $2) WHERE outbox = $1 AND $2 = ANY(message_ids)",
    [ref.name, found.row.id],
  );
  await resetDelivery(client, ref, found);
  const later = await countLaterPublished(client, ref, found.row);
  return later !== null && later > 0
    ? `Due now. ${formatPlural(later, "later message")} of the same aggregate ${later === 1 ? "is" : "are"} out already, so this one arrives after ${later === 1 ? "it" : "them"}.`
    : "Due now, attempts counted from 0.";
};

async function bringBack(client: PoolClient, ref: OutboxRef, found: FoundMessage): Promise<void> {
  const taken = await client.query<{ image: string }>(
    "DELETE FROM outbox_console.dead_letter WHERE outbox = $1 AND message_id = $2 RETURNING image::text AS image",
    [ref.name, found.row.id],
  );
  await insertImage(client, ref.mapping, taken.rows[0]?.image ?? "null");
}

async function resetNative(client: PoolClient, ref: OutboxRef, found: FoundMessage): Promise<void> {
  const set = retryAssignments(ref.mapping, currentStatus(found));
  const keys = keyArrays(ref.mapping, found.row.id);
  if (set.length === 0 || !keys) return;
  await client.query(
    `UPDATE ${quoteTable(ref.mapping.table)} AS t SET ${set.join(", ")} WHERE ${keyMatch(ref.mapping, "t", 1)}`,
    keys,
  );
}

/** The row's own word; what a moved message keeps there is something else. */
function currentStatus(found: FoundMessage): string | null {
  return found.place === "table" ? found.row.rawStatus : null;
}

/** A row that the relay's retry path finds at once; what is known of earlier failures stays with it. */
async function resetDelivery(client: PoolClient, ref: OutboxRef, found: FoundMessage): Promise<void> {
  const keys = keyArrays(ref.mapping, found.row.id);
  if (!keys) return;
  const { mapping } = ref;
  await client.query(
    `INSERT INTO outbox_console.delivery AS d (outbox, message_id, aggregate_key, order_key, event_type, created_at, attempts, next_attempt_at)
     SELECT $1, ${messageIdExpression(mapping, "t")}, ${aggregateKeyExpression(mapping, "t")}, ARRAY[${keyText(orderColumn(mapping), "t")}, ${columnSql(mapping.columns.id, "t")}::text],
       $2, $3::timestamptz, 0, clock_timestamp() FROM ${quoteTable(mapping.table)} t WHERE ${keyMatch(mapping, "t", 4)}
     ON CONFLICT (outbox, message_id) DO UPDATE SET attempts = 0, next_attempt_at = clock_timestamp(), dead_at = NULL, dead_by = NULL,
       aggregate_key = excluded.aggregate_key, order_key = excluded.order_key`,
    [ref.name, found.row.eventType, found.row.createdAt, ...keys],
  );
}
