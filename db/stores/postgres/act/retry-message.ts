import { and, eq, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import { retryAssignments } from "#db/stores/shared/act/native-updates.ts";
import { currentStatus, type FoundMessage } from "#db/stores/shared/read/found-message.ts";
import { keyParameters } from "#db/stores/shared/tables/key-parameters.ts";
import { listOf } from "#db/stores/shared/tables/list-of.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import { AppError } from "#domain/errors.ts";
import type { MappedColumn, TableName } from "../../port/mapping.ts";
import type { MessageRow } from "../../port/message-row.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { VerbRule } from "../../port/table-rules.ts";
import { PUT_BACK, retriedSentence, withOrder } from "../../shared/act/act-sentences.ts";
import { requireWritten } from "../../shared/act/require-written.ts";
import { ruledVerb } from "../../shared/act/ruled-verb.ts";
import { queryOn } from "../connection/query-on.ts";
import { deadLetter, delivery } from "../own-schema/schema.ts";
import { keyIs } from "../read/find-message.ts";
import { countLaterPublished } from "../read/later-published.ts";
import { keyText, textOf } from "../tables/column-values.ts";
import { insertSelect } from "../tables/insert-select.ts";
import { aggregateKey, keyArrays, messageId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { insertImages } from "../tables/row-image.ts";
import { ruledMessage, WRITER } from "./ruled-message.ts";
import type { Verb } from "./verb.ts";

/**
 * Makes a failed or dead message new again: attempts 0, due now, history kept. A dead letter first goes back into its
 * table. Our relay finds the message by its delivery row, the team's own relay by the table's columns.
 */
export const retryMessage: Verb = async (client, ref, found, request) => {
  const rule = ruledVerb(ref.mapping, "retry");
  if (found.place === "dead_letter") await bringBack(client, ref, [found]);
  if (rule) return retryByRule(rule, [client, ref, found, request]);
  await resetMessages(client, ref, [found]);
  return retriedSentence(await countLaterPublished(client, ref, found.row));
};

/**
 * Makes messages that are in their table new again, by the table's columns and ours; not of a table with a library's
 * rule.
 */
export async function resetMessages(client: PoolClient, ref: OutboxRef, found: readonly FoundMessage[]): Promise<void> {
  await resetNative(client, ref, found);
  await resetDelivery(client, ref, found);
}

/** A row that comes back from our dead letters is as it was; only columns that the rule sets have to change. */
async function retryByRule(
  rule: VerbRule<MappedColumn, TableName>,
  [client, ref, found, request]: Parameters<Verb>,
): Promise<string> {
  const changes = "set" in rule || ("moveTo" in rule && found.place === "table");
  const done = changes ? await ruledMessage(rule)(client, ref, found, request) : PUT_BACK;
  return withOrder(done, await countLaterPublished(client, ref, found.row));
}

/** Puts dead letters back into their table as they were. Throws conflict if an id exists again. */
export async function bringBack(client: PoolClient, ref: OutboxRef, found: readonly FoundMessage[]): Promise<void> {
  const ids = found.map(({ row }) => row.id);
  const taken = await queryOn(client)
    .delete(deadLetter)
    .where(and(eq(deadLetter.outbox, ref.name), sql`${deadLetter.messageId} = ANY(${sql.param(ids)}::text[])`))
    .returning({ image: sql<string | null>`${deadLetter.image}::text` });
  if (taken.length < ids.length) throw new AppError("conflict", "A dead letter is not there any more: look again.");
  await insertImages(
    client,
    ref.mapping,
    taken.map(({ image }) => image ?? "null"),
  );
}

/** Rows with the same status word in one statement: the word that means pending may be spelled like it. */
async function resetNative(client: PoolClient, ref: OutboxRef, found: readonly FoundMessage[]): Promise<void> {
  const { table, rows } = outboxTable(ref.mapping);
  for (const [status, alike] of Map.groupBy(found, currentStatus)) {
    const set = retryAssignments(ref.mapping, status, WRITER);
    const keys = keysOf(ref, alike);
    if (set.length === 0 || !keys) continue;
    const { rowCount } = await queryOn(client).execute(
      sql`UPDATE ${table} AS ${rows} SET ${listOf(set)} WHERE ${keyIs(ref.mapping, keys)}`,
    );
    requireWritten(rowCount, keys[0]?.length);
  }
}

/** Null if no row can have any of the keys. */
function keysOf({ mapping }: OutboxRef, found: readonly FoundMessage[]): string[][] | null {
  const each = found.flatMap(({ row }) => {
    const arrays = keyArrays(mapping, row.id);
    return arrays ? [arrays.map(([value]) => value ?? "")] : [];
  });
  return each.length === 0 ? null : keyParameters(each, mapping.primaryKey.length);
}

/** Writes delivery rows that the relay's retry path finds at once; earlier failures stay in them. */
async function resetDelivery(client: PoolClient, ref: OutboxRef, found: readonly FoundMessage[]): Promise<void> {
  const keys = keysOf(ref, found);
  if (!keys) return;
  const { mapping } = ref;
  const outbox = outboxTable(mapping);
  const order = [keyText(outbox, orderColumn(mapping)), textOf(outbox, mapping.columns.id)];
  const of = (pick: (row: MessageRow) => string | null) => sql.param(found.map(({ row }) => pick(row)));
  const values = {
    outbox: sql`${ref.name}`,
    messageId: messageId(outbox),
    aggregateKey: aggregateKey(outbox),
    orderKey: sql`ARRAY[${listOf(order)}]`,
    eventType: sql`f.event_type`,
    createdAt: sql`f.created_at::timestamptz`,
    attempts: sql`0`,
    // One microsecond apart, in the order given: relays claim the longest due first.
    nextAttemptAt: sql`statement_timestamp() + f.place * interval '1 microsecond'`,
  };
  const from = sql`FROM ${outbox.table} ${outbox.rows}
    JOIN unnest(${of((row) => row.id)}::text[], ${of((row) => row.eventType)}::text[], ${of((row) => row.createdAt)}::text[])
      WITH ORDINALITY AS f(id, event_type, created_at, place) ON f.id = ${messageId(outbox)}
    WHERE ${keyIs(mapping, keys)}`;
  await queryOn(client).execute(
    sql`${insertSelect(delivery, values, from)}
     ON CONFLICT (outbox, message_id) DO UPDATE SET attempts = 0, next_attempt_at = excluded.next_attempt_at, dead_at = NULL, dead_by = NULL,
       aggregate_key = excluded.aggregate_key, order_key = excluded.order_key`,
  );
}
