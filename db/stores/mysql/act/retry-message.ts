import { and, eq, type SQL, sql } from "drizzle-orm";
import { formatPlural } from "#domain/format.ts";
import type { MappedColumn, TableName } from "../../port/mapping.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { VerbRule } from "../../port/table-rules.ts";
import { requireMoved } from "../../shared/require-moved.ts";
import { ruledVerb } from "../../shared/ruled-verb.ts";
import type { Session } from "../connection/session.ts";
import { type FoundMessage, keyArrays, keyIs } from "../read/find-message.ts";
import { countLaterPublished } from "../read/later-published.ts";
import { instantParameter, keyText, NOW, textOf } from "../tables/column-values.ts";
import { insertSelect } from "../tables/insert-select.ts";
import { aggregateKey, orderColumn } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { insertImage, listOf } from "../tables/row-image.ts";
import { retryAssignments } from "./native-updates.ts";
import { ruledMessage } from "./ruled-message.ts";
import type { Verb } from "./verb.ts";

/**
 * Makes a failed or dead message new again: attempts 0, due now, history kept. A dead letter first goes back into its
 * table. Our relay finds the message by its delivery row, the team's own relay by the table's columns.
 */
export const retryMessage: Verb = async (session, ref, found, request) => {
  const rule = ruledVerb(ref.mapping, "retry");
  const keys = keyArrays(ref.mapping, found.row.id);
  if (keys) {
    const byKey = keyIs(ref.mapping, keys);
    if (found.place === "dead_letter") await bringBack(session, ref, found, byKey);
    if (rule) return retryByRule(rule, [session, ref, found, request]);
    await resetNative(session, ref, found, byKey);
    await resetDelivery(session, ref, found, byKey);
  }
  const later = await describeLater(session, ref, found);
  return later === null ? "Due now; attempts reset to 0." : `Due now. ${later}`;
};

/** A row that comes back from our dead letters is as it was; only columns that the rule sets have to change. */
async function retryByRule(
  rule: VerbRule<MappedColumn, TableName>,
  [session, ref, found, request]: Parameters<Verb>,
): Promise<string> {
  const changes = "set" in rule || ("moveTo" in rule && found.place === "table");
  const done = changes ? await ruledMessage(rule)(session, ref, found, request) : "Put back into its table.";
  const later = await describeLater(session, ref, found);
  return later === null ? done : `${done} ${later}`;
}

async function describeLater(session: Session, ref: OutboxRef, found: FoundMessage): Promise<string | null> {
  const later = await countLaterPublished(session, ref, found.row);
  return later !== null && later > 0
    ? `${formatPlural(later, "later message")} of the same aggregate ${later === 1 ? "was" : "were"} already published, so this one arrives after ${later === 1 ? "it" : "them"}.`
    : null;
}

async function bringBack(session: Session, ref: OutboxRef, found: FoundMessage, byKey: SQL): Promise<void> {
  const { deadLetter } = session.own;
  const where = sql`${and(eq(deadLetter.outbox, ref.name), eq(deadLetter.messageId, found.row.id))}`;
  await insertImage(session, ref.mapping, { image: sql`${deadLetter.image}`, from: sql`${deadLetter}`, where, byKey });
  requireMoved((await session.run(sql`DELETE FROM ${deadLetter} WHERE ${where}`)).affectedRows);
}

async function resetNative(session: Session, ref: OutboxRef, found: FoundMessage, byKey: SQL): Promise<void> {
  const set = retryAssignments(ref.mapping, currentStatus(found));
  if (set.length === 0) return;
  const { table, rows } = outboxTable(ref.mapping);
  requireMoved((await session.run(sql`UPDATE ${table} ${rows} SET ${listOf(set)} WHERE ${byKey}`)).affectedRows);
}

/** The row's own status; null for a message that is not in its table. */
function currentStatus(found: FoundMessage): string | null {
  return found.place === "table" ? found.row.rawStatus : null;
}

/** Writes a delivery row that the relay's retry path finds at once; earlier failures stay in it. */
async function resetDelivery(session: Session, ref: OutboxRef, found: FoundMessage, byKey: SQL): Promise<void> {
  const { delivery } = session.own;
  const { mapping } = ref;
  const { row } = found;
  const outbox = outboxTable(mapping);
  const order = [keyText(outbox, orderColumn(mapping)), textOf(outbox, mapping.columns.id)];
  const values = {
    outbox: sql`${ref.name}`,
    messageId: sql`${row.id}`,
    aggregateKey: aggregateKey(outbox),
    orderKey: sql`JSON_ARRAY(${listOf(order)})`,
    eventType: sql`${row.eventType}`,
    createdAt: row.createdAt === null ? sql`NULL` : instantParameter(row.createdAt),
    attempts: sql`0`,
    nextAttemptAt: NOW,
  };
  const inserted = insertSelect(delivery, values, sql`FROM ${outbox.table} ${outbox.rows} WHERE ${byKey}`);
  const anew = (column: { name: string }) => sql`VALUES(${sql.identifier(column.name)})`;
  await session.run(
    sql`${inserted} ON DUPLICATE KEY UPDATE ${delivery.attempts} = 0, ${delivery.nextAttemptAt} = ${NOW}, ${delivery.deadAt} = NULL,
      ${delivery.deadBy} = NULL, ${delivery.aggregateKey} = ${anew(delivery.aggregateKey)}, ${delivery.orderKey} = ${anew(delivery.orderKey)}`,
  );
}
