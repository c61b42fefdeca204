import { and, eq, type SQL, sql } from "drizzle-orm";
import { retryAssignments } from "#db/stores/shared/act/native-updates.ts";
import { currentStatus, type FoundMessage } from "#db/stores/shared/read/found-message.ts";
import { keyParameters } from "#db/stores/shared/tables/key-parameters.ts";
import { listOf } from "#db/stores/shared/tables/list-of.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import type { MappedColumn, OutboxMapping, TableName } from "../../port/mapping.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { VerbRule } from "../../port/table-rules.ts";
import { PUT_BACK, retriedSentence, withOrder } from "../../shared/act/act-sentences.ts";
import { requireMoved } from "../../shared/act/require-moved.ts";
import { ruledVerb } from "../../shared/act/ruled-verb.ts";
import type { Session } from "../connection/session.ts";
import { keyIs } from "../read/find-message.ts";
import { countLaterPublished } from "../read/later-published.ts";
import { exact, instantOf, isAmong, keyText, NOW, realInstant, textOf } from "../tables/column-values.ts";
import { insertSelect } from "../tables/insert-select.ts";
import { forced } from "../tables/mapping-sql.ts";
import { aggregateKey, keysOf, messageId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { insertImages } from "../tables/row-image.ts";
import { ruledMessage, WRITER } from "./ruled-message.ts";
import type { Verb } from "./verb.ts";

/**
 * Makes a failed or dead message new again: attempts 0, due now, history kept. A dead letter first goes back into its
 * table. Our relay finds the message by its delivery row, the team's own relay by the table's columns.
 */
export const retryMessage: Verb = async (session, ref, found, request) => {
  const rule = ruledVerb(ref.mapping, "retry");
  if (found.place === "dead_letter") await bringBack(session, ref, [found]);
  if (rule) return retryByRule(rule, [session, ref, found, request]);
  await resetMessages(session, ref, [found]);
  return retriedSentence(await countLaterPublished(session, ref, found.row));
};

/** A row that comes back from our dead letters is as it was; only columns that the rule sets have to change. */
async function retryByRule(
  rule: VerbRule<MappedColumn, TableName>,
  [session, ref, found, request]: Parameters<Verb>,
): Promise<string> {
  const changes = "set" in rule || ("moveTo" in rule && found.place === "table");
  const done = changes ? await ruledMessage(rule)(session, ref, found, request) : PUT_BACK;
  return withOrder(done, await countLaterPublished(session, ref, found.row));
}

/** Puts dead letters back into their table as they were. Throws conflict if an id exists again. */
export async function bringBack(session: Session, ref: OutboxRef, found: readonly FoundMessage[]): Promise<void> {
  const { mapping } = ref;
  const { deadLetter } = session.own;
  const ids = found.map(({ row }) => row.id);
  const where = sql`${and(eq(deadLetter.outbox, ref.name), isAmong(deadLetter.messageId, ids))}`;
  const isItsOwn = sql`${deadLetter.messageId} = ${exact(messageId(outboxTable(mapping)))}`;
  await insertImages(session, mapping, {
    image: sql`${deadLetter.image}`,
    from: sql`${deadLetter}`,
    where,
    byKey: keysAre(mapping, ids),
    several: { count: ids.length, isItsOwn },
  });
  requireMoved((await session.run(sql`DELETE FROM ${deadLetter} WHERE ${where}`)).affectedRows, ids.length);
}

/**
 * Makes messages that are in their table new again, by the table's columns and ours; not of a table with a library's
 * rule. `keyIndex`: the index of the table's key, for many; for one, the optimizer takes no other.
 */
export async function resetMessages(
  session: Session,
  ref: OutboxRef,
  found: readonly FoundMessage[],
  keyIndex: string | null = null,
): Promise<void> {
  await resetNative(session, ref, found, keyIndex);
  await resetDelivery(session, ref, found);
}

/**
 * One statement for rows with the same status word, because the pending word is written in the spelling of that word.
 */
async function resetNative(
  session: Session,
  ref: OutboxRef,
  found: readonly FoundMessage[],
  keyIndex: string | null,
): Promise<void> {
  const { table, rows } = outboxTable(ref.mapping);
  for (const [status, alike] of Map.groupBy(found, currentStatus)) {
    const set = retryAssignments(ref.mapping, status, WRITER);
    if (set.length === 0) continue;
    const byKey = keysAre(
      ref.mapping,
      alike.map(({ row }) => row.id),
    );
    const { affectedRows } = await session.run(
      sql`UPDATE ${table} ${rows}${sql.raw(forced(keyIndex))} SET ${listOf(set)} WHERE ${byKey}`,
    );
    requireMoved(affectedRows, alike.length);
  }
}

/** Condition over rows `t`. */
function keysAre(mapping: OutboxMapping, ids: readonly string[]): SQL {
  return keyIs(mapping, keyParameters(keysOf(mapping, ids), mapping.primaryKey.length));
}

/** Writes delivery rows that the relay's retry path finds at once; earlier failures stay in them. */
async function resetDelivery(session: Session, ref: OutboxRef, found: readonly FoundMessage[]): Promise<void> {
  const { delivery } = session.own;
  const { mapping } = ref;
  const { columns } = mapping;
  const outbox = outboxTable(mapping);
  const ids = found.map(({ row }) => row.id);
  const id = messageId(outbox);
  const order = [keyText(outbox, orderColumn(mapping)), textOf(outbox, columns.id)];
  const place = sql`FIELD(${exact(id)}, ${listOf(ids.map((one) => sql`${one}`))})`;
  const values = {
    outbox: sql`${ref.name}`,
    messageId: id,
    aggregateKey: aggregateKey(outbox),
    orderKey: sql`JSON_ARRAY(${listOf(order)})`,
    eventType: textOf(outbox, columns.eventType),
    createdAt: columns.createdAt ? realInstant(instantOf(outbox, columns.createdAt)) : sql`NULL`,
    attempts: sql`0`,
    // One microsecond apart, in the order given: relays claim the longest due first.
    nextAttemptAt: sql`${NOW} + INTERVAL (${place} - 1) MICROSECOND`,
  };
  const inserted = insertSelect(
    delivery,
    values,
    sql`FROM ${outbox.table} ${outbox.rows} WHERE ${keysAre(mapping, ids)}`,
  );
  const anew = ({ name }: { name: string }) => sql`VALUES(${sql.identifier(name)})`;
  await session.run(
    sql`${inserted} ON DUPLICATE KEY UPDATE ${delivery.attempts} = 0, ${delivery.nextAttemptAt} = ${anew(delivery.nextAttemptAt)},
      ${delivery.deadAt} = NULL, ${delivery.deadBy} = NULL, ${delivery.aggregateKey} = ${anew(delivery.aggregateKey)},
      ${delivery.orderKey} = ${anew(delivery.orderKey)}`,
  );
}
